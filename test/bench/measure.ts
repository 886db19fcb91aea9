import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

export const bundleFile = resolve(import.meta.dirname, '../../dist/ledge.cjs');

/** Writes the peak memory of a Node process to a file when the process ends. */
const memoryProbe = resolve(import.meta.dirname, 'memory-probe.cjs');

export type Measured = {
	/** Of the whole process, from start to end. */
	readonly milliseconds: number;
	/** Until the first byte on standard output. */
	readonly firstByte: number;
	readonly peakMegabytes: number;
	readonly code: number | null;
	readonly stderr: string;
};

export type Command = {
	/** Node unless given. */
	readonly program?: string;
	readonly words: readonly string[];
	readonly cwd: string;
	readonly env?: Readonly<Record<string, string>>;
};

/** Runs a program once, output thrown away, and measures it from outside. */
export function run({program: file = process.execPath, words, cwd, env = {}}: Command): Promise<Measured> {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-bench-'));
	const memoryFile = join(folder, 'memory');
	const start = performance.now();
	let firstByte = Number.NaN;
	return new Promise((done, fail) => {
		const child = spawn(file, words, {
			cwd,
			env: {
				PATH: process.env.PATH ?? '',
				HOME: cwd,
				...env,
				...(env.LEDGE_BENCH_MEMORY && {
					NODE_OPTIONS: `--require ${memoryProbe}`,
					LEDGE_BENCH_MEMORY: memoryFile,
				}),
			},
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		child.stdout.on('data', () => {
			if (Number.isNaN(firstByte)) firstByte = performance.now() - start;
		});
		let stderr = '';
		child.stderr.on('data', piece => {
			stderr += piece;
		});
		child.on('error', fail);
		child.on('close', code => {
			const milliseconds = performance.now() - start;
			let peakMegabytes = Number.NaN;
			if (env.LEDGE_BENCH_MEMORY) peakMegabytes = Number(readFileSync(memoryFile, 'utf8')) / 1024;
			rmSync(folder, {recursive: true, force: true});
			done({milliseconds, firstByte, peakMegabytes, code, stderr});
		});
	});
}

/** The same with the peak of its memory. */
export const runWithMemory = (command: Command): Promise<Measured> =>
	run({...command, env: {...command.env, LEDGE_BENCH_MEMORY: '1'}});

/**
 * Runs the commands in turns and returns the median of each, so that noise of the machine affects all of them. `before` runs
 * before each of them, and is not measured.
 */
export async function medians<Name extends string>(
	turnCount: number,
	commands: Readonly<Record<Name, Command>>,
	before?: Command,
): Promise<Record<Name, number>> {
	const names = Object.keys(commands) as Name[];
	const durations = Object.fromEntries(names.map(name => [name, [] as number[]])) as Record<Name, number[]>;
	for (let turn = -1; turn < turnCount; turn++) {
		for (const name of names) {
			if (before) await run(before);
			const measured = await run(commands[name]);
			if (measured.code !== 0) throw new Error(`${name} ended with ${measured.code}: ${measured.stderr}`);
			// The first turn warms the caches and does not count.
			if (turn >= 0) durations[name].push(measured.milliseconds);
		}
	}
	return Object.fromEntries(names.map(name => [name, median(durations[name])])) as Record<Name, number>;
}

export function median(figures: readonly number[]): number {
	const sorted = figures.toSorted((one, other) => one - other);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
