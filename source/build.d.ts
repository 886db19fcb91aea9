/** The version in package.json; put in by the bundler (esbuild.config.ts). */
declare const LEDGE_VERSION: string;
