import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Failure} from '../failure.ts';

/** The editor a person chose, as words: `$VISUAL`, `$EDITOR`, else `vi`. Words are split at spaces, no shell is asked. */
export function editorWords(env: NodeJS.ProcessEnv): readonly string[] {
	const words = (env.VISUAL || env.EDITOR || 'vi').split(/\s+/).filter(Boolean);
	return words.length > 0 ? words : ['vi'];
}

/**
 * Lets the person edit bytes in their editor and gives back what they saved. The file lies in a 0700 folder under
 * a fixed name, so that nothing of the data reaches a command line (decision 28), and is gone afterwards.
 */
export async function editBytes(bytes: Uint8Array, env: NodeJS.ProcessEnv): Promise<Uint8Array> {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-edit-'));
	const file = join(folder, 'value');
	try {
		writeFileSync(file, bytes, {mode: 0o600, flag: 'wx'});
		await runEditor(editorWords(env), file);
		return readFileSync(file);
	} finally {
		rmSync(folder, {recursive: true, force: true});
	}
}

function runEditor([program = 'vi', ...words]: readonly string[], file: string): Promise<void> {
	return new Promise((resolve, reject) => {
		const child = spawn(program, [...words, file], {stdio: 'inherit'});
		child.on('error', cause =>
			reject(
				new Failure('editor_failed', `The editor "${program}" does not start.`, {
					why: cause.message,
					next: 'Name another with EDITOR.',
					cause,
				}),
			),
		);
		child.on('exit', (code, signal) => {
			if (code === 0) return resolve();
			reject(
				new Failure(
					'editor_failed',
					`The editor "${program}" ended with ${signal ?? code}, so nothing was written.`,
					{
						next: 'Save and leave the editor in its ordinary way.',
					},
				),
			);
		});
	});
}
