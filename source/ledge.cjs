#!/usr/bin/env node
// The launcher: plain old JavaScript, so that it can say on any Node what ledge needs. It finds a Node that is
// new enough, turns on the compile cache and goes on with the bundle beside it.
'use strict';

var path = require('node:path');

var needed = [22, 13];
var found = process.versions.node.split('.').map(Number);

if (found[0] > needed[0] || (found[0] === needed[0] && found[1] >= needed[1])) {
	start();
} else {
	goOnElsewhere();
}

function start() {
	hideSqliteWarning();
	var cache = safeCacheDirectory();
	if (cache) require('node:module').enableCompileCache(cache);
	require('./cli.cjs').main(process.argv.slice(2));
}

/** A checkout brings its own Node as a development dependency: what an older Node runs is handed on to that. */
function goOnElsewhere() {
	var fs = require('node:fs');
	var own = path.join(__dirname, '..', 'node_modules', 'node', 'bin', 'node');
	if (!fs.existsSync(own)) {
		process.stderr.write(
			'ledge: needs Node ' +
				needed.join('.') +
				' or newer; this is ' +
				process.version +
				' (' +
				process.execPath +
				').\n',
		);
		process.exitCode = 1;
		return;
	}
	var child = require('node:child_process').spawn(own, [__filename].concat(process.argv.slice(2)), {
		stdio: 'inherit',
	});
	['SIGINT', 'SIGTERM', 'SIGHUP'].forEach(signal => {
		// A terminal sends SIGINT to both; the others come to this process alone and are passed on.
		process.on(signal, () => {
			if (signal !== 'SIGINT') child.kill(signal);
		});
	});
	child.on('error', error => {
		process.stderr.write("ledge: the checkout's own Node does not start: " + error.message + '\n');
		process.exitCode = 1;
	});
	child.on('exit', (code, signal) => {
		process.exit(signal ? 1 : code);
	});
}

/** Node 22 calls node:sqlite experimental on every start; people who run ledge need not read that. */
function hideSqliteWarning() {
	var emit = process.emitWarning;
	process.emitWarning = function (warning) {
		if (
			String(warning && warning.message ? warning.message : warning).indexOf('SQLite is an experimental') ===
			0
		)
			return;
		emit.apply(process, arguments);
	};
}

/**
 * Where compiled code is kept: `$XDG_CACHE_HOME/ledge`, ours alone, or nowhere. Never a folder that others can
 * write: what lies there is run.
 */
function safeCacheDirectory() {
	var env = process.env;
	if (env.NODE_DISABLE_COMPILE_CACHE) return undefined;
	var base = env.XDG_CACHE_HOME || (env.HOME && path.join(env.HOME, '.cache'));
	if (!base || !path.isAbsolute(base)) return undefined;
	var directory = path.join(base, 'ledge');
	var fs = require('node:fs');
	try {
		fs.mkdirSync(directory, {recursive: true, mode: 448});
		var seen = fs.lstatSync(directory);
		var mine = !process.getuid || seen.uid === process.getuid();
		return seen.isDirectory() && mine && (seen.mode & 18) === 0 ? directory : undefined;
	} catch (_error) {
		return undefined;
	}
}
