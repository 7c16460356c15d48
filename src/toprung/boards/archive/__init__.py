"""How does a board, a server or its public pages become files that anybody can check? One manifest, and what it names.

A manifest names every member with size and digest. An archive in one file (the bundle of a board, the backup of a
server) is a tar of which every byte is determined by its manifest, and the manifest is signed with Ed25519; a
publication is a folder of plain files beside its manifest. Nothing here needs a server, a database or Django;
docs/reference/bundle.md tells the format in words.
"""
