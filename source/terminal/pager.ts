import {spawn} from 'node:child_process';
import {Readable} from 'node:stream';
import {Failure} from '../failure.ts';

/** The pagers that are tried: `$PAGER`, whose words are split at spaces, else `less`, else `more`. No shell is asked. */
function pagersOf({PAGER = ''}: NodeJS.ProcessEnv): readonly (readonly [string, ...string[]])[] {
	const [program, ...words] = PAGER.split(/\s+/).filter(Boolean);
	return program === undefined ? [['less'], ['more']] : [[program, ...words]];
}

/**
 * Shows text in the person's pager until they leave it; what they have not seen by then is not made. The text is safe
 * for a terminal already: a pager may pass on what it is given. Fails with `pager_failed`.
 */
export async function showInPager(text: () => Iterable<string>, env: NodeJS.ProcessEnv): Promise<void> {
	const pagers = pagersOf(env);
	for (const pager of pagers) if (await runPager(pager, text(), env)) return;
	const tried = pagers.map(([program]) => `"${program}"`).join(' and ');
	throw new Failure('pager_failed', `The pager ${tried} does not start.`, {
		next: 'Name another with PAGER, or save the value to a file.',
	});
}

/** Returns whether the pager was found. */
function runPager(
	[program, ...words]: readonly [string, ...string[]],
	text: Iterable<string>,
	env: NodeJS.ProcessEnv,
): Promise<boolean> {
	return new Promise((resolve, reject) => {
		const child = spawn(program, words, {
			stdio: ['pipe', 'inherit', 'inherit'],
			env: {...env, LESSSECURE: '1'},
		});
		const source = Readable.from(text);
		child.on('error', cause => {
			source.destroy();
			if ('code' in cause && cause.code === 'ENOENT') return resolve(false);
			reject(
				new Failure('pager_failed', `The pager "${program}" does not start.`, {why: cause.message, cause}),
			);
		});
		// A pager that is left before the end reads no more.
		child.stdin.on('error', () => source.destroy());
		child.on('exit', (code, killed) => {
			source.destroy();
			if (code === 0) return resolve(true);
			reject(
				new Failure('pager_failed', `The pager "${program}" ended with ${killed ?? code}.`, {
					next: 'Name another with PAGER.',
				}),
			);
		});
		source.pipe(child.stdin);
	});
}
