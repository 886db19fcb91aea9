import {type ChildProcessWithoutNullStreams, execFileSync, spawn} from 'node:child_process';
import {copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

export type RunResult = {readonly code: number | null; readonly stdout: string; readonly stderr: string};

type Variables = Readonly<Record<string, string>>;

/** What a process in the root needs of /dev: where to throw output away, and its terminal. */
const devices = ['null', 'tty'];

/** Puts the root together for one process, whose mounts are its own, and makes everything in it read-only but /tmp. */
const enterScript = `set -e
mount --bind "$1" "$1"
mount --bind "$2" "$1/tmp"
for device in ${devices.join(' ')}; do mount --bind "/dev/$device" "$1/dev/$device"; done
mount -o remount,bind,ro "$1"
shift 2
exec env -i "$@"`;

/**
 * A root of its own for one program: that, the libraries that `ldd` names for it, an empty /tmp that can be written to,
 * and nothing else. What runs there gets no variable but those it is given.
 */
export class Root implements Disposable {
	readonly #folder = mkdtempSync(join(tmpdir(), 'ledge-root-'));
	readonly #root = join(this.#folder, 'root');
	readonly #changeRoot = ['/usr/sbin/chroot', '/usr/bin/chroot', '/sbin/chroot'].find(existsSync) ?? 'chroot';
	/** The folder that is /tmp inside. */
	readonly tmp = join(this.#folder, 'tmp');

	constructor(program: string) {
		mkdirSync(this.tmp, {mode: 0o700});
		for (const folder of ['tmp', 'dev']) mkdirSync(join(this.#root, folder), {recursive: true});
		for (const device of devices) writeFileSync(join(this.#root, 'dev', device), '');
		this.#put(program, '/ledge');
		for (const library of librariesOf(program)) this.#put(library, library);
	}

	/** Every file in it but those of /tmp. */
	files(): string[] {
		return readdirSync(this.#root, {recursive: true, withFileTypes: true})
			.filter(entry => entry.isFile())
			.map(({parentPath, name}) => join(parentPath, name).slice(this.#root.length));
	}

	/** The command that runs the program with these words and variables in the root. */
	command(words: readonly string[], variables: Variables = {}): readonly [string, ...string[]] {
		const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user'];
		const assignments = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
		return [
			'unshare',
			...[...asRoot, '--mount', 'sh', '-c', enterScript, 'sh', this.#root, this.tmp],
			...[...assignments, this.#changeRoot, this.#root, '/ledge', ...words],
		];
	}

	/** Starts it, to be ended by the caller. */
	start(words: readonly string[], variables?: Variables): ChildProcessWithoutNullStreams {
		const [tool, ...rest] = this.command(words, variables);
		return spawn(tool, rest, {cwd: '/'});
	}

	/** Runs it to its end. */
	async run(words: readonly string[], variables?: Variables, input = ''): Promise<RunResult> {
		const child = this.start(words, variables);
		const printed = {stdout: '', stderr: ''};
		for (const name of ['stdout', 'stderr'] as const)
			child[name].setEncoding('utf8').on('data', (piece: string) => {
				printed[name] += piece;
			});
		// A program that does not read its input may be gone before it is written.
		child.stdin.on('error', () => {});
		child.stdin.end(input);
		const code = await new Promise<number | null>((done, fail) => {
			child.on('error', fail);
			child.on('close', done);
		});
		return {code, ...printed};
	}

	#put(file: string, pathInRoot: string): void {
		const target = join(this.#root, pathInRoot);
		mkdirSync(dirname(target), {recursive: true});
		copyFileSync(file, target);
	}

	[Symbol.dispose](): void {
		rmSync(this.#folder, {recursive: true, force: true});
	}
}

/** The libraries of a program and what loads them, by their paths. */
function librariesOf(program: string): string[] {
	const lddOutput = execFileSync('ldd', [program], {encoding: 'utf8'});
	return [...lddOutput.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path);
}
