// `npm run binary`: builds build/ledge-PLATFORM-ARCHITECTURE, the one-file program: a single executable
// application of the checkout's Node (docs/architecture.md, Where to find). The launcher is its main script;
// the rest of the build output is its assets (source/parts.cjs).
import {execFileSync} from 'node:child_process';
import {
	chmodSync,
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {buildSync} from 'esbuild';
import {binaryFile} from './binary-file.ts';

/** Documented by Node: the mark by which postject sees whether a binary already contains a program. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const {platform, arch, version: nodeVersion, execPath} = process;
const {version, devDependencies} = JSON.parse(readFileSync('package.json', 'utf8')) as {
	version: string;
	devDependencies: Readonly<Record<string, string>>;
};
if (platform !== 'linux' && platform !== 'darwin')
	throw new Error(`The one-file program is made on Linux and macOS; this is ${platform}.`);
if (nodeVersion !== `v${devDependencies.node}`)
	throw new Error(
		`This is Node ${nodeVersion}, and not that of the checkout (v${devDependencies.node}): use npm run.`,
	);

const startTime = performance.now();
// The blob contains the path of the launcher: a fixed path keeps the program reproducible.
const folder = join('build', 'making');
mkdirSync(folder, {recursive: true});
try {
	const blob = join(folder, 'blob');
	writeFileSync(join(folder, 'sea.json'), JSON.stringify(prepareConfiguration(blob)));
	run(execPath, ['--experimental-sea-config', join(folder, 'sea.json')]);
	// The final name is given when the program is complete.
	const partFile = `${binaryFile}.part`;
	copyFileSync(execPath, partFile);
	chmodSync(partFile, 0o755);
	if (platform === 'darwin') run('codesign', ['--remove-signature', partFile]);
	const isStripped = platform === 'linux' && stripSymbols(partFile);
	injectBlob(partFile, blob);
	if (platform === 'darwin') run('codesign', ['--sign', '-', partFile]);
	const printedVersion = run(`./${partFile}`, ['--version']).trim();
	if (printedVersion !== version)
		throw new Error(`${partFile} --version prints "${printedVersion}", and not ${version}.`);
	renameSync(partFile, binaryFile);
	const megabytes = (statSync(binaryFile).size / 1e6).toFixed(0);
	const seconds = ((performance.now() - startTime) / 1000).toFixed(1);
	const symbolsNote = isStripped || platform !== 'linux' ? '' : '; 18 MB less where `strip` is installed';
	process.stdout.write(`${binaryFile}: ${megabytes} MB, made in ${seconds} s${symbolsNote}\n`);
} finally {
	rmSync(folder, {recursive: true, force: true});
}

/** Builds the launcher and the licences, and returns Node's configuration for the blob. */
function prepareConfiguration(output: string) {
	const main = join(folder, 'main.cjs');
	buildSync({
		entryPoints: ['source/ledge.cjs'],
		bundle: true,
		platform: 'node',
		format: 'cjs',
		target: 'node22.13',
		minify: true,
		define: {LEDGE_VERSION: JSON.stringify(version), IS_PLAIN_BUILD: 'false'},
		outfile: main,
		logLevel: 'warning',
	});
	const licences = join(folder, 'licenses.txt');
	writeFileSync(licences, collectLicences());
	return {
		main,
		output,
		disableExperimentalSEAWarning: true,
		useSnapshot: false,
		useCodeCache: false,
		// After `--`, Node interprets none of ledge's options, such as --env-file; NODE_OPTIONS is ignored.
		execArgv: ['--'],
		execArgvExtension: 'none',
		assets: {...listAssets(), 'licenses.txt': licences},
	};
}

/** Lists the paths of the build output by file name, without files that are bundled into the launcher. */
function listAssets(): Record<string, string> {
	const files = readdirSync('dist', {withFileTypes: true}).filter(entry => entry.isFile());
	return Object.fromEntries(
		files.filter(({name}) => !existsSync(join('source', name))).map(({name}) => [name, join('dist', name)]),
	);
}

/**
 * Collects the licences of ledge, of bundled packages, and of Node with its dependencies. Throws if Node's is
 * missing.
 */
function collectLicences(): string {
	const nodePackage = `node-${platform}-${arch}`;
	const file = [
		join('node_modules', 'node', 'node_modules', nodePackage, 'LICENSE'),
		join('node_modules', nodePackage, 'LICENSE'),
		join(dirname(dirname(execPath)), 'LICENSE'),
	].find(existsSync);
	if (file === undefined) throw new Error('The licence of Node is not beside it; npm ci brings it.');
	return [
		`ledge ${version} (MIT)\n\n${readFileSync('license', 'utf8').trim()}`,
		readFileSync(join('dist', 'licenses.txt'), 'utf8').trim(),
		`Node.js ${nodeVersion}\n\n${readFileSync(file, 'utf8').trim()}\n`,
	].join('\n\n');
}

/** Removes the symbols of Node, which only debuggers need. Returns false if `strip` is not installed. */
function stripSymbols(file: string): boolean {
	try {
		run('strip', [file]);
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
		throw error;
	}
}

function injectBlob(file: string, blob: string): void {
	const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js');
	const segmentOptions = platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : [];
	run(execPath, [postject, file, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse, ...segmentOptions]);
}

/** Runs a tool and returns its standard output. Standard error is shown only in the error, if it fails. */
function run(tool: string, toolArguments: readonly string[]): string {
	return execFileSync(tool, toolArguments, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
}
