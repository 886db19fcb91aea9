// The launcher: JavaScript that any Node reads, so that it can say on each what ledge needs. It finds a Node that
// is new enough and continues with the bundle beside it, with Node's compile cache. The build puts a line of shell on
// top, which starts it as a program; in the one-file program it is what Node starts with.
'use strict';

const path = require('path');

const needed = [22, 13];
const found = process.versions.node.split('.').map(Number);

if (found[0] > needed[0] || (found[0] === needed[0] && found[1] >= needed[1])) {
	start();
} else {
	goOnElsewhere();
}

function start() {
	const words = process.argv.slice(2);
	if (words.length === 1 && (words[0] === '--version' || words[0] === '-v') && printVersion()) return;
	hideSqliteWarning();
	const cacheFolder = require('./cache-folder.cjs').findCacheFolder(process.env);
	// Node 22.13 has it; without a folder of this user's own, Node would keep code in a shared one.
	if (cacheFolder) require('module').enableCompileCache(cacheFolder);
	// The scripts of `ledge completion` ask for words on every press of a key.
	const isCompletion = words[0] === '__complete';
	run(isCompletion ? 'completion' : 'cli', isCompletion ? words.slice(1) : words);
}

/** Runs `main` of a bundle. */
function run(name, words) {
	// The build writes here which kind of bundles it made.
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
 * Prints the version, for which no bundle is needed. False where that fails: the bundle can wait for a pipe, and knows how
 * to report a full disk.
 */
function printVersion() {
	try {
		// The build writes the version here.
		require('fs').writeSync(1, `${LEDGE_VERSION}\n`);
		return true;
	} catch (_error) {
		return false;
	}
}

/** A checkout brings its own Node as a development dependency: what an older Node runs is handed on to that. */
function goOnElsewhere() {
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
		// Without `--`, Node takes an --env-file among our own options for its own.
		['--', __filename, ...process.argv.slice(2)],
		{stdio: 'inherit'},
	);
	// A terminal sends SIGINT to both, and twice would end ledge at once; what comes to this process alone is passed on.
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

/** Node 22 calls node:sqlite experimental on every start; people who run ledge need not read that. */
function hideSqliteWarning() {
	const emit = process.emitWarning;
	process.emitWarning = (warning, ...rest) => {
		const text = String((warning && warning.message) || warning);
		if (!text.startsWith('SQLite is an experimental')) emit.call(process, warning, ...rest);
	};
}
