// Source of scripts that the mock serves; published declarations include this file, so it names no framework.

/** Text of a script from the storage of this runtime; undefined if it has none. */
export type ScriptSource = () => Promise<string | undefined>;
