import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterruptedFailure, Failure, toFailure} from '../failure.ts';
import {detectExtension} from '../text/json/file-extension.ts';

/**
 * Returns the words of the editor command: `$VISUAL`, `$EDITOR`, else `vi`. Split at spaces, without a shell.
 */
function parseEditorCommand(env: NodeJS.ProcessEnv): readonly string[] {
	const words = (env.VISUAL || env.EDITOR || 'vi').split(/\s+/).filter(Boolean);
	return words.length > 0 ? words : ['vi'];
}

/** Returns the name of the edited file for these bytes. */
export const getEditedFileName = (bytes: Uint8Array): string => `value.${detectExtension(bytes)}`;

/** True for such a file name, also without an extension as earlier versions named it. */
export const isEditedFileName = (name: string): boolean => /^value(\.[a-z]+)?$/.test(name);

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Removes the line end that an editor added: editors end a file with one, but a value need not have it. A
 * value that ended with a line feed is kept as saved.
 */
export function dropAddedLineEnd(original: Uint8Array, saved: Uint8Array): Uint8Array {
	if (original.at(-1) === lineFeed || saved.at(-1) !== lineFeed) return saved;
	const isCrLf =
		saved.at(-2) === carriageReturn &&
		original.at(-1) !== carriageReturn &&
		Buffer.from(original.buffer, original.byteOffset, original.byteLength).includes('\r\n');
	return saved.subarray(0, isCrLf ? -2 : -1);
}

type EditOptions = {
	/** Existing folder for the file, removed with it; a temporary one by default. */
	readonly folder?: string | undefined;
	/** Working folder of the editor; that of the process by default. */
	readonly cwd?: string | undefined;
	/** Ends the editor. */
	readonly signal?: AbortSignal | undefined;
	/** Called with the path of the file while it is edited. */
	onStart?(file: string): void;
	/** Keeps what was saved before the editor failed or was stopped, and returns where. */
	keepSaved?(content: Uint8Array): string | undefined;
};

/**
 * Opens bytes in the editor and returns what was saved, see `dropAddedLineEnd`. The file is in a 0700 folder
 * under a fixed name with an extension by content, so that no other data reaches a command line, and is
 * removed afterwards. Fails with `editor_failed` or `interrupted`; a changed file saved until then goes to
 * `keepSaved`.
 */
export async function editBytes(
	bytes: Uint8Array,
	env: NodeJS.ProcessEnv,
	{folder: givenFolder, cwd, signal, onStart, keepSaved}: EditOptions = {},
): Promise<Uint8Array> {
	const folder = givenFolder ?? mkdtempSync(join(tmpdir(), 'ledge-edit-'));
	const file = join(folder, getEditedFileName(bytes));
	try {
		writeFileSync(file, bytes, {mode: 0o600, flag: 'wx'});
		onStart?.(file);
		try {
			await runEditor(parseEditorCommand(env), file, {env, cwd}, signal);
		} catch (error) {
			// Some editors replace the file, and may be stopped just before they do.
			const saved = existsSync(file) ? dropAddedLineEnd(bytes, readFileSync(file)) : bytes;
			const stateLeft = Buffer.compare(saved, bytes) === 0 ? undefined : keepSaved?.(saved);
			throw stateLeft === undefined ? error : toFailure(error).withDetails({left: stateLeft});
		}
		return dropAddedLineEnd(bytes, readFileSync(file));
	} finally {
		rmSync(folder, {recursive: true, force: true});
	}
}

function runEditor(
	[program = 'vi', ...editorArguments]: readonly string[],
	file: string,
	spawnOptions: {readonly env: NodeJS.ProcessEnv; readonly cwd: string | undefined},
	signal: AbortSignal | undefined,
): Promise<void> {
	return new Promise((resolve, reject) => {
		const child = spawn(program, [...editorArguments, file], {stdio: 'inherit', ...spawnOptions});
		const endEditor = () => child.kill();
		signal?.addEventListener('abort', endEditor, {once: true});
		child.on('error', cause => {
			signal?.removeEventListener('abort', endEditor);
			reject(
				new Failure('editor_failed', `The editor "${program}" could not be started.`, {
					why: cause.message,
					next: 'Choose another one with EDITOR.',
					cause,
				}),
			);
		});
		child.on('exit', (code, endSignal) => {
			signal?.removeEventListener('abort', endEditor);
			if (signal?.aborted) return reject(createInterruptedFailure());
			if (code === 0) return resolve();
			reject(
				new Failure(
					'editor_failed',
					`The editor "${program}" exited with ${endSignal ?? code}, so nothing was written.`,
					{
						next: 'Save and quit the editor normally.',
					},
				),
			);
		});
	});
}
