"""How is a child started? By the standard library's fork server, which has everything loaded and no work of its own.

It differs in one thing: the child does not import the program's main module again, for none of its work is there.
"""

from __future__ import annotations

import io
import multiprocessing
import os
import sys
from multiprocessing import context, forkserver, popen_forkserver, reduction, util
from multiprocessing.process import BaseProcess

FORK_SERVER = multiprocessing.get_context("forkserver")
FORK_SERVER.set_forkserver_preload(["toprung.web.core.apart.warm"])


class LaunchedChild(popen_forkserver.Popen):
    """A running child, as the parent knows it."""

    _fds: list[int]

    def _launch(self, process_obj: BaseProcess) -> None:
        sent = io.BytesIO()
        context.set_spawning_popen(self)
        try:
            reduction.dump({"name": process_obj.name, "sys_path": sys.path}, sent)
            reduction.dump(process_obj, sent)
        finally:
            context.set_spawning_popen(None)
        self.sentinel, writer = forkserver.connect_to_new_process(self._fds)
        alive = os.dup(writer)  # the child sees by it that its parent is there
        self.finalizer = util.Finalize(self, _close, (alive, self.sentinel))
        with os.fdopen(writer, "wb") as stream:
            stream.write(sent.getbuffer())
        self.pid = forkserver.read_signed(self.sentinel)


def _close(*numbers: int) -> None:
    for number in numbers:
        os.close(number)


class ApartProcess(context.ForkServerProcess):
    """A child process."""

    @staticmethod
    def _Popen(process_obj: BaseProcess) -> LaunchedChild:  # noqa: N802 - the standard library's name
        return LaunchedChild(process_obj)
