/** The version in package.json; put in by the bundler (esbuild.config.ts). */
declare const LEDGE_VERSION: string;

/** The tree of commands as JSON text (source/completion/tree.ts); put in by the bundler. */
declare const COMMANDS_AS_JSON: string;

/** The parts that the build makes (source/parts.cjs). */
declare module '*/parts.cjs' {
	/** The bytes of a part, by its name; they must not be changed. Throws if it is missing. */
	export function bytesOf(name: string): Buffer;
}
