"""How do the labels of a board change? A new version is published, prepared in the background, and then current.

From the moment it is published every run is scored on the version, in the background, and so is every run that comes
meanwhile. Pages show the version before until all of that is done and the results under the new one are stored; then
labels, scores and pages change in one transaction. What was shown under earlier versions stays stored as it was.
Claims stand as recorded, and the holder holds the rung until a later claim succeeds under the new labels.

What pages call:

- ``publishing.publish(board, current, plan, changes=…, source=…, by=user)``: check and publish; a ``BoardRefusedError``
  has every fault, by the keys ``file``, ``changes`` and ``source``. ``publishing.current_version(board, use, name)``
  finds the set, ``publishing.plan_version(current, path, file_name)`` makes the plan.
- ``publishing.give_up(labels, by=user)`` and ``publishing.try_again(labels, by=user)`` while it is being prepared; a
  ``VersionRefusedError`` says why not.
- ``preparing.preparation_of(labels)``: how far a version is (runs scored, of how many, what is being done, failure);
  ``preparing.versions_in_preparation(board)``: for organisers.
- ``shown.shown_versions(board)``: the versions of the official labels that were shown, the latest first, for everyone.
- ``look_at(user, slug, labels=request.GET.get("labels", ""))``: pages as of a version; ``look.version``,
  ``look.is_as_of`` (an earlier version than the one shown now), ``look.labels()`` (with ``changes``, ``current_since``,
  ``superseded_at``), ``look.result("versions")`` (see ``changes.show_change`` for what it holds).
"""
