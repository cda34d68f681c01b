// Where this app lies. Everything is addressed from here, so that a path prefix of a proxy needs no setting.

/** The app's root as an absolute URL that ends with "/". This module lies one level below it. */
export const base = new URL("../", import.meta.url);

/** The absolute URL of `path`, which is relative to the app's root: `at("api/tasks")`. */
export const at = (path) => new URL(path, base).href;
