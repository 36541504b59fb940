"""What keeps compiled code inside its memory: arrays that others can only read, and one thread at a time."""

from threading import Lock, RLock, get_ident
from typing import Any

import numpy as np
from numpy.typing import NDArray

IN_USE = "this Batch is in use in another thread: give every thread one of its own, or let them take turns"


class Gate:
    """Lets one thread write, or any number of threads read; who would come in between is refused at once.

    Reading is ``with gate:``, writing ``gate.enter()`` to ``gate.leave()``.  A thread never stands in its own way.
    """

    __slots__ = ("_door", "_readers", "_writing")

    def __init__(self) -> None:
        self._writing = RLock()  # held for as long as a thread writes
        self._door = Lock()  # held for a moment by a reader who looks whether anybody writes
        self._readers: list[int] = []  # their threads

    def enter(self) -> None:
        if not self._writing.acquire(False):
            raise ValueError(IN_USE)
        if self._readers and set(self._readers) != {get_ident()}:
            self._writing.release()
            raise ValueError(IN_USE)

    def leave(self) -> None:
        self._writing.release()

    def __enter__(self) -> None:
        with self._door:
            if not self._writing.acquire(False):
                raise ValueError(IN_USE)
            self._readers.append(get_ident())
            self._writing.release()

    def __exit__(self, *_: object) -> None:
        self._readers.remove(get_ident())


class _Memory:
    """Where NumPy finds the bytes of an array, to be read alone.

    It is no buffer, so that NumPy cannot ask for more: an array over it stays read-only whatever is done to its flags.
    """

    __slots__ = ("__array_interface__", "_kept")

    def __init__(self, array: NDArray[Any]) -> None:
        self._kept = array  # for as long as anybody looks at its memory
        self.__array_interface__ = {
            "version": 3,
            "data": (array.ctypes.data, True),  # read-only
            "shape": (array.nbytes,),
            "typestr": "|u1",
        }


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """The same memory, not copied, for those who may not write to it: neither its flags nor its base lead to that.

    What is possible still is what Python forbids nobody: private attributes, and libraries that take an address and do
    not ask (ctypes; ``torch.from_numpy`` warns).
    """
    shown = np.asarray(_Memory(np.ascontiguousarray(array)))
    return shown.view(array.dtype).reshape(array.shape)
