"""The README's motion, frame by frame: printed, plotted, and written to out/demo.csv."""

from pathlib import Path

from keypose import Key, Motion, MotionPath, SpeedProfile, plot

FPS = 24

path = MotionPath(
    [
        Key((0, 0, 0)),
        Key((2, 1, 0), tension=-0.3, bias=1),  # overshoot
        Key((3, 0, 0), continuity=-1, name="bounce"),  # a corner at full speed
        Key((5, 2, 0)),
    ]
)
motion = Motion(path, SpeedProfile([1, 1, 8, 2, 1]), duration=2.0)


def main() -> None:
    """Print the frames as a time bar beside their numbers, write them as a table, and draw the sheet."""
    times = motion.frame_times(FPS)
    positions, speeds, distances = motion.frames(FPS).position, motion.speed(times), motion.time_bar(FPS)
    rows = ["frame,time [s],x [m],y [m],z [m],speed [m/s],distance [m]"]
    print("frame   time      x      y   speed  distance")
    for frame, (time, (x, y, z), speed, distance) in enumerate(zip(times, positions, speeds, distances, strict=True)):
        rows.append(",".join(repr(float(value)) for value in (time, x, y, z, speed, distance)))
        rows[-1] = f"{frame},{rows[-1]}"
        bar = " " * round(50 * distance / path.length) + "|"
        print(f"{frame:5d} {time:6.3f} {x:6.3f} {y:6.3f} {speed:7.3f} {distance:9.3f}  {bar}")
    file = Path("out/demo.csv")
    file.parent.mkdir(exist_ok=True)
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    sheet = plot(motion, fps=FPS)
    sheet.save("out/demo.svg")
    sheet.save("out/demo.png")
    bounce = motion.key_times[path.keys.index("bounce")]
    print(f"\n{len(times)} frames over {path.length:.3f} m; the bounce comes at {bounce:.3f} s. Written to {file},")
    print("and drawn in out/demo.svg and out/demo.png.")


if __name__ == "__main__":
    main()
