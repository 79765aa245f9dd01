"""The MuJoCo engine: model building, contacts, joints, soft bodies, stepping."""
