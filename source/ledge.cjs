// The launcher. Its syntax is readable by any Node, so that an old one can report which version ledge needs.
// Finds a Node that is new enough and runs the bundle in the same folder, with Node's compile cache. The
// build prepends a shell line that makes it executable; in the one-file program it is the main script.
'use strict';

const path = require('path');

const needed = [22, 13];
const found = process.versions.node.split('.').map(Number);

if (found[0] > needed[0] || (found[0] === needed[0] && found[1] >= needed[1])) {
	start();
} else {
	runCheckoutNode();
}

function start() {
	const words = process.argv.slice(2);
	if (words.length === 1 && (words[0] === '--version' || words[0] === '-v') && printVersion()) return;
	hideSqliteWarning();
	const cacheFolder = require('./cache-folder.cjs').findCacheFolder(process.env);
	// Available since Node 22.13. Without a private folder, Node would keep code in a shared one.
	if (cacheFolder) require('module').enableCompileCache(cacheFolder);
	// The scripts of `ledge completion` call this for every completion.
	const isCompletion = words[0] === '__complete';
	run(isCompletion ? 'completion' : 'cli', isCompletion ? words.slice(1) : words);
}

/** Runs `main` of a bundle. */
function run(name, words) {
	// Replaced by the build.
	if (IS_PLAIN_BUILD) {
		const file = `./${name}.mjs`;
		import(file).then(({main}) => main(words));
		return;
	}
	const {hold, load} = require('./parts.cjs');
	setTimeout(hold, 1000).unref();
	load(`${name}.cjs`).main(words);
}

/**
 * Prints the version without loading a bundle. Returns false if writing fails: the bundle can wait for a pipe
 * and report a full disk.
 */
function printVersion() {
	try {
		require('fs').writeSync(1, `${LEDGE_VERSION}\n`);
		return true;
	} catch (_error) {
		return false;
	}
}

/**
 * Reruns ledge with the Node that a checkout installs as a development dependency; reports an error if there
 * is none.
 */
function runCheckoutNode() {
	const own = path.join(__dirname, '..', 'node_modules', 'node', 'bin', 'node');
	if (!require('fs').existsSync(own)) {
		process.stderr.write(
			`ledge: needs Node ${needed.join('.')} or newer; this is ${process.version} (${process.execPath}).\n`,
		);
		process.exitCode = 1;
		return;
	}
	const child = require('child_process').spawn(
		own,
		// Without `--`, Node would interpret an --env-file among ledge's options.
		['--', __filename, ...process.argv.slice(2)],
		{stdio: 'inherit'},
	);
	// A terminal sends SIGINT to both processes, and a second one would end ledge immediately. Forward only
	// signals the child does not get itself.
	const onTerminal = [0, 1, 2].some(descriptor => require('tty').isatty(descriptor));
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.on(signal, () => {
			if (signal !== 'SIGINT' || !onTerminal) child.kill(signal);
		});
	}
	child.on('error', error => {
		process.stderr.write(`ledge: the checkout's own Node does not start: ${error.message}\n`);
		process.exitCode = 1;
	});
	child.on('exit', (code, signal) => process.exit(signal ? 1 : code));
}

/** Suppresses the warning of Node 22 that node:sqlite is experimental. */
function hideSqliteWarning() {
	const emit = process.emitWarning;
	process.emitWarning = (warning, ...rest) => {
		const text = String((warning && warning.message) || warning);
		if (!text.startsWith('SQLite is an experimental')) emit.call(process, warning, ...rest);
	};
}
