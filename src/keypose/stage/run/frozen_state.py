"""How is a mover's state kept, so that nobody can change what was? As a copy of its own, its arrays read-only.

What a step does to the state it is lent does not change the kept one; what a mover keeps for itself stays its own.
This holds for states of numbers, arrays, tuples, lists, dicts, sets, dataclasses and numpy's random generators, one in
another as deep as you like. Objects of other kinds are kept as they are, and must not change. A state that says
`keeps_itself` is True, or a part of one that does, has seen to all of this, and is kept as it is.
"""

import cmath
import copy
from collections.abc import Callable, MutableMapping, MutableSequence, MutableSet
from dataclasses import fields, is_dataclass
from functools import lru_cache
from operator import is_not
from typing import Any

import numpy as np

from keypose.maths import is_finite

IMMUTABLE_TYPES = frozenset({int, float, bool, str, bytes, complex, type(None), range})


class NotFiniteError(ArithmeticError):
    """A state holds a number that is none."""


def freeze(state: Any) -> Any:
    """A state as it is kept; raises NotFiniteError where it holds a number that is infinite or none at all."""
    return state if _freezes_itself(state) else _copy_state(state, _freeze_array)


def thaw(state: Any) -> Any:
    """A kept state as it is given away: what could be changed in it is a copy, but for arrays, which are read-only."""
    return state if _freezes_itself(state) else _copy_state(state, lambda array: array)


def _freezes_itself(state: Any) -> bool:
    return is_dataclass(state) and getattr(state, "keeps_itself", False) is True


def _freeze_array(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind in "fc" and not is_finite(array):
        raise NotFiniteError
    if not array.flags.writeable and array.flags.owndata:
        return array
    frozen = array.copy()
    frozen.flags.writeable = False
    return frozen


def _copy_state(state: Any, copy_array: Callable[[np.ndarray], np.ndarray]) -> Any:
    """A copy of all in a state that could be changed; what could not is shared."""
    kind = type(state)
    if kind is np.ndarray and not state.dtype.hasobject:
        return copy_array(state)
    if kind in (float, complex) or isinstance(state, np.generic):
        if (kind in (float, complex) or isinstance(state, np.inexact)) and not cmath.isfinite(state):
            raise NotFiniteError
        return state
    if kind in IMMUTABLE_TYPES:
        return state
    if isinstance(state, tuple):
        parts = [_copy_state(part, copy_array) for part in state]
        return tuple.__new__(kind, parts) if any(map(is_not, parts, state)) else state
    if isinstance(state, MutableMapping | MutableSequence | MutableSet | np.ndarray):
        return _copy_container(state, copy_array)
    if is_dataclass(state) and not isinstance(state, type):
        if _freezes_itself(state):
            return state
        return _copy_dataclass(state, copy_array)
    return copy.deepcopy(state) if isinstance(state, np.random.Generator | np.random.RandomState) else state


def _copy_container(state: Any, copy_array: Callable[[np.ndarray], np.ndarray]) -> Any:
    result = copy.copy(state)
    if isinstance(result, MutableMapping):
        for key in result:
            result[key] = _copy_state(result[key], copy_array)
    elif isinstance(result, MutableSequence):
        result[:] = [_copy_state(part, copy_array) for part in result]
    elif isinstance(result, np.ndarray) and result.dtype.hasobject:
        for index in np.ndindex(result.shape):
            result[index] = _copy_state(result[index], copy_array)
    return result


def _copy_dataclass(state: Any, copy_array: Callable[[np.ndarray], np.ndarray]) -> Any:
    """A dataclass with its fields copied; a frozen one whose fields cannot change is shared."""
    names, is_frozen = _dataclass_fields(state.__class__)
    values = [getattr(state, name, None) for name in names]
    parts = [_copy_state(part, copy_array) for part in values]
    if is_frozen and not any(map(is_not, parts, values)):
        return state
    result = copy.copy(state)
    for name, before, part in zip(names, values, parts, strict=True):
        if part is not before:
            object.__setattr__(result, name, part)
    return result


@lru_cache(maxsize=256)
def _dataclass_fields(kind: Any) -> tuple[tuple[str, ...], bool]:
    """The fields of a dataclass, and whether it is frozen."""
    return tuple(field.name for field in fields(kind)), kind.__dataclass_params__.frozen
