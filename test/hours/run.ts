// `npm run test:hours`: the tests of figures that depend on the time of day (what the simulated analytics count), at
// eight hours of a working day and at three of a weekend, in time zones on both sides of the date line.
//   PATH...  only these test files
// Every process sees the other hour, also those without an environment: by libfaketime (Debian: `apt install
// faketime`, or LIBFAKETIME=<file>) in a mount namespace, which needs root. Files keep their true times, so
// the moments are near.
import {type SpawnOptions, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {arch, tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Days from the next Monday, the time in UTC, and the local time zone. */
const moments = [
	[0, '00:40', 'UTC'],
	[0, '03:10', 'America/St_Johns'],
	[0, '06:20', 'UTC'],
	[0, '09:30', 'Asia/Kolkata'],
	[0, '12:45', 'UTC'],
	[0, '15:50', 'America/Los_Angeles'],
	[0, '18:05', 'UTC'],
	[0, '21:15', 'Pacific/Auckland'],
	[-2, '03:30', 'UTC'],
	[-1, '13:10', 'Pacific/Apia'],
	[-1, '23:58', 'UTC'],
] as const;

const library =
	process.env.LIBFAKETIME ??
	`/usr/lib/${arch() === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`;
if (!existsSync(library)) throw new Error(`${library} is not there: apt install faketime`);
const preload = '/etc/ld.so.preload';
const settings = '/etc/faketimerc';

const countingPattern = /metrics|READS|events|analytics|validation|kv stats/;
const files =
	process.argv.length > 2
		? process.argv.slice(2)
		: globSync('test/{analytics,commands,events,screens,terminal}/**/*.test.{ts,tsx}', {cwd: root}).filter(
				file => countingPattern.test(readFileSync(join(root, file), 'utf8')),
			);

/** Seconds until this time (UTC), `days` after the next Monday; at most eight days. */
function computeOffset(days: number, hour: string): number {
	const now = new Date();
	const monday = 7 - ((now.getUTCDay() + 6) % 7);
	const [hours = 0, minutes = 0] = hour.split(':').map(Number);
	const then = Date.UTC(
		now.getUTCFullYear(),
		now.getUTCMonth(),
		now.getUTCDate() + monday + days,
		hours,
		minutes,
	);
	return Math.round((then - now.getTime()) / 1000);
}

const run = async (command: readonly string[], options: SpawnOptions): Promise<number> => {
	const [name = '', ...rest] = command;
	const [code] = await once(spawn(name, rest, options), 'close');
	return code ?? 1;
};

const folder = mkdtempSync(join(tmpdir(), 'ledge-hours-'));
const createdFiles = [preload, settings].filter(path => !existsSync(path));
try {
	// A bind mount needs an existing file; an empty one changes nothing outside of the namespace.
	for (const path of createdFiles) writeFileSync(path, '');
	writeFileSync(join(folder, 'preload'), `${library}\n`);
	for (const [days, hour, zone] of moments) {
		const offset = computeOffset(days, hour);
		writeFileSync(join(folder, 'offset'), `+${offset}s\n`);
		const mountScript = `mount --bind "$1" ${preload} && mount --bind "$2" ${settings} && shift 2 && exec "$@"`;
		const mountSources = [join(folder, 'preload'), join(folder, 'offset')];
		const vitest = [process.execPath, join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files];
		process.stdout.write(`${new Date(Date.now() + offset * 1000).toISOString()} ${zone}\n`);
		const code = await run(['unshare', '-m', 'sh', '-c', mountScript, 'sh', ...mountSources, ...vitest], {
			cwd: root,
			stdio: 'inherit',
			env: {...process.env, TZ: zone, CI: 'true'},
		});
		if (code !== 0) process.exitCode = 1;
	}
} finally {
	for (const path of createdFiles) rmSync(path, {force: true});
	rmSync(folder, {recursive: true});
}
