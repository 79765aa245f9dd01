// A scene update as the server sends it.

export const key = (name = null) => ({ spec: name === null ? {} : { name } });

export const actor = (name, keys = [], rest = {}) => ({ name, keys, speed: { kind: "steady", values: [] }, ...rest });

export function scene(actors, rest = {}) {
  return {
    is: "scene",
    revision: 1,
    opened_at: 0,
    is_complete: true,
    actors,
    order: actors.map(({ name }) => name),
    fields: [],
    links: [],
    driven: [],
    meetings: [],
    ...rest,
  };
}
