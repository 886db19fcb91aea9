import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {asFailure, Failure, interrupted} from '../failure.ts';
import {extensionFor} from '../text/json/file-extension.ts';

/** The editor a person chose, as words: `$VISUAL`, `$EDITOR`, else `vi`. Words are split at spaces, no shell is asked. */
function editorWords(env: NodeJS.ProcessEnv): readonly string[] {
	const words = (env.VISUAL || env.EDITOR || 'vi').split(/\s+/).filter(Boolean);
	return words.length > 0 ? words : ['vi'];
}

/** The name of the file that the editor is given these bytes in. */
export const editedName = (bytes: Uint8Array): string => `value.${extensionFor(bytes)}`;

/** Whether a file has such a name, or the one of earlier versions, which had no extension. */
export const isEditedName = (name: string): boolean => /^value(\.[a-z]+)?$/.test(name);

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * What an editor saved, without the line end that it added: editors end a file with one, and a value need not have it.
 * A value that ended with a line feed before keeps what was saved.
 */
export function dropAddedLineEnd(before: Uint8Array, saved: Uint8Array): Uint8Array {
	if (before.at(-1) === lineFeed || saved.at(-1) !== lineFeed) return saved;
	const isCrLf =
		saved.at(-2) === carriageReturn &&
		before.at(-1) !== carriageReturn &&
		Buffer.from(before.buffer, before.byteOffset, before.byteLength).includes('\r\n');
	return saved.subarray(0, isCrLf ? -2 : -1);
}

type EditOptions = {
	/** A folder that is there for the file, and goes with it; if none is given it is made among the temporary files. */
	readonly folder?: string | undefined;
	/** The folder that the editor starts in; that of the process unless given. */
	readonly cwd?: string | undefined;
	/** Ends the editor. */
	readonly signal?: AbortSignal | undefined;
	/** Called with the place of the bytes while they are edited: until then nobody else can look at what was saved there. */
	onStart?(file: string): void;
	/** Takes what was saved before the editor failed or was ended, and returns where it is kept. */
	rescue?(content: Uint8Array): string | undefined;
};

/**
 * Opens bytes in the editor and returns what was saved, see `dropAddedLineEnd`. The file is in a 0700 folder under a
 * fixed name with the extension of what it holds, so that nothing else of the data reaches a command line, and is gone
 * afterwards. Fails with `editor_failed` or `interrupted`; what was saved until then goes to `rescue`, unless it is
 * unchanged.
 */
export async function editBytes(
	bytes: Uint8Array,
	env: NodeJS.ProcessEnv,
	{folder: given, cwd, signal, onStart, rescue}: EditOptions = {},
): Promise<Uint8Array> {
	const folder = given ?? mkdtempSync(join(tmpdir(), 'ledge-edit-'));
	const file = join(folder, editedName(bytes));
	try {
		writeFileSync(file, bytes, {mode: 0o600, flag: 'wx'});
		onStart?.(file);
		try {
			await runEditor(editorWords(env), file, {env, cwd}, signal);
		} catch (error) {
			// Some editors put another file in its place, and may be stopped just before they do.
			const saved = existsSync(file) ? dropAddedLineEnd(bytes, readFileSync(file)) : bytes;
			const left = Buffer.compare(saved, bytes) === 0 ? undefined : rescue?.(saved);
			throw left === undefined ? error : asFailure(error).with({left});
		}
		return dropAddedLineEnd(bytes, readFileSync(file));
	} finally {
		rmSync(folder, {recursive: true, force: true});
	}
}

function runEditor(
	[program = 'vi', ...words]: readonly string[],
	file: string,
	where: {readonly env: NodeJS.ProcessEnv; readonly cwd: string | undefined},
	signal: AbortSignal | undefined,
): Promise<void> {
	return new Promise((resolve, reject) => {
		const child = spawn(program, [...words, file], {stdio: 'inherit', ...where});
		const end = () => child.kill();
		signal?.addEventListener('abort', end, {once: true});
		child.on('error', cause => {
			signal?.removeEventListener('abort', end);
			reject(
				new Failure('editor_failed', `The editor "${program}" does not start.`, {
					why: cause.message,
					next: 'Name another with EDITOR.',
					cause,
				}),
			);
		});
		child.on('exit', (code, killed) => {
			signal?.removeEventListener('abort', end);
			if (signal?.aborted) return reject(interrupted());
			if (code === 0) return resolve();
			reject(
				new Failure(
					'editor_failed',
					`The editor "${program}" ended with ${killed ?? code}, so nothing was written.`,
					{
						next: 'Save and leave the editor in its ordinary way.',
					},
				),
			);
		});
	});
}
