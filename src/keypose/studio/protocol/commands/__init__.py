"""What can a page say to the studio? Every gesture is one message, declared here and nowhere else.

TypeScript's types are made from these (`generate_ts`). Reading is strict: an unknown field, a wrong type or a number
that is none is refused with a sentence before anything looks at the message. What a *gesture* does is told again and
again while it lasts, each time as a whole since it began: so a newer message replaces an older one.
"""

from keypose.studio.protocol.commands.bodies import (
    FaceBodies,
    MoveBodies,
    RemoveBody,
    SetBodies,
    SetConnections,
    SetGravity,
    SetJoints,
    SetMovers,
)
from keypose.studio.protocol.commands.cast import AddActor, DefineEffect, RemoveActor, RenameActor, SetActor, SetScene
from keypose.studio.protocol.commands.command import Command, Digits, Edit, Index, Indices, Name, Names, Side
from keypose.studio.protocol.commands.document import (
    CancelExport,
    CancelGesture,
    Export,
    New,
    Open,
    OpenExample,
    Recover,
    Redo,
    Save,
    Undo,
)
from keypose.studio.protocol.commands.fields import (
    AddField,
    CheckFormula,
    KeepPointer,
    LinkActors,
    MoveField,
    MoveSplines,
    NameSensed,
    PlaceField,
    RemoveField,
    RenameField,
    SetField,
    SetSplines,
    ShowFields,
    StretchField,
    TurnField,
)
from keypose.studio.protocol.commands.keys import (
    ApplyEffect,
    BackToTcb,
    DeleteKeys,
    DragTangent,
    DrawPoints,
    FaceKeys,
    InsertKey,
    MoveKeys,
    MovePoints,
    PasteKeys,
    PlaceKeys,
    SetKeys,
    ShiftKey,
    TurnKeys,
)
from keypose.studio.protocol.commands.meetings import (
    AddMeeting,
    ConnectMeetings,
    DisconnectMeetings,
    RemoveMeeting,
    SetGoal,
    SetMeeting,
)
from keypose.studio.protocol.commands.paths import (
    DeleteSpeed,
    InsertSpeed,
    NudgeKey,
    RaiseSpeed,
    SetMotion,
    SetPath,
    SetSpeed,
    TimeKey,
)
from keypose.studio.protocol.commands.playback import Hello, Live, Pause, Ping, Play, Point, Seek

__all__ = [
    "AddActor",
    "AddField",
    "AddMeeting",
    "AnyMessage",
    "ApplyEffect",
    "BackToTcb",
    "CancelExport",
    "CancelGesture",
    "CheckFormula",
    "Command",
    "ConnectMeetings",
    "DefineEffect",
    "DeleteKeys",
    "DeleteSpeed",
    "Digits",
    "DisconnectMeetings",
    "DragTangent",
    "DrawPoints",
    "Edit",
    "Export",
    "FaceBodies",
    "FaceKeys",
    "Hello",
    "Index",
    "Indices",
    "InsertKey",
    "InsertSpeed",
    "KeepPointer",
    "LinkActors",
    "Live",
    "MoveBodies",
    "MoveField",
    "MoveKeys",
    "MovePoints",
    "MoveSplines",
    "Name",
    "NameSensed",
    "Names",
    "New",
    "NudgeKey",
    "Open",
    "OpenExample",
    "PasteKeys",
    "Pause",
    "Ping",
    "PlaceField",
    "PlaceKeys",
    "Play",
    "Point",
    "RaiseSpeed",
    "Recover",
    "Redo",
    "RemoveActor",
    "RemoveBody",
    "RemoveField",
    "RemoveMeeting",
    "RenameActor",
    "RenameField",
    "Save",
    "Seek",
    "SetActor",
    "SetBodies",
    "SetConnections",
    "SetField",
    "SetGoal",
    "SetGravity",
    "SetJoints",
    "SetKeys",
    "SetMeeting",
    "SetMotion",
    "SetMovers",
    "SetPath",
    "SetScene",
    "SetSpeed",
    "SetSplines",
    "ShiftKey",
    "ShowFields",
    "Side",
    "StretchField",
    "TimeKey",
    "TurnField",
    "TurnKeys",
    "Undo",
]

AnyMessage = (
    MoveKeys | TurnKeys | PlaceKeys | FaceKeys | DragTangent | SetKeys | BackToTcb | ApplyEffect | InsertKey
    | DeleteKeys | PasteKeys | ShiftKey | MovePoints | DrawPoints | SetPath | SetMotion | SetSpeed | RaiseSpeed
    | InsertSpeed | DeleteSpeed | NudgeKey | TimeKey | AddActor | RemoveActor | RenameActor | SetActor
    | DefineEffect | SetScene | AddField | RemoveField | RenameField | SetField | MoveField | TurnField
    | StretchField | PlaceField | NameSensed | LinkActors | SetSplines | MoveSplines | KeepPointer | ShowFields
    | SetMovers | SetBodies | SetJoints | SetConnections | RemoveBody | MoveBodies | FaceBodies | SetGravity
    | AddMeeting | SetMeeting | SetGoal | ConnectMeetings | DisconnectMeetings | RemoveMeeting
    | CheckFormula | Undo | Redo | CancelGesture | New | Open | OpenExample | Save | Recover | Export
    | CancelExport | Play | Pause | Seek | Ping | Hello | Live | Point
)  # fmt: skip
