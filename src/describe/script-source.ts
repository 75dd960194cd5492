// Where the page at /docs gets its script; published declarations lead here, so no framework is named.

/** Text of Scalar's bundle, from wherever this runtime keeps it; undefined where it has none. */
export type ScriptSource = () => Promise<string | undefined>;
