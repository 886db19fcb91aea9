/** Options that the peer's users write as `--preview false`, `--preview=false` or `--no-preview` (decision 14). */
const switches = new Set(['--preview', '--local', '--remote', '--text']);

/**
 * The words of a command line in the form that the commands declare: the colon form taken apart
 * (`kv:key get` → `kv key get`, platform.md "Versioning"), and switches with a value turned into plain ones.
 * What stands behind `--` is left alone.
 */
export function normalisedWords(argv: readonly string[]): {words: string[]; colonForm: string | undefined} {
	const end = argv.indexOf('--');
	const mine = end === -1 ? argv : argv.slice(0, end);
	const words: string[] = [];
	let colonForm: string | undefined;
	for (let index = 0; index < mine.length; index++) {
		const word = mine[index] ?? '';
		const [name = '', value] = word.split(/=(.*)/s, 2);
		if (switches.has(name)) {
			const told = value ?? (isBoolean(mine[index + 1]) ? mine[++index] : 'true');
			words.push(isBoolean(told) ? (told === 'true' ? name : `--no-${name.slice(2)}`) : word);
		} else if (
			colonForm === undefined &&
			words.every(one => one.startsWith('-')) &&
			/^kv:(namespace|key|bulk)$/.test(word)
		) {
			colonForm = word;
			words.push(...word.split(':'));
		} else {
			words.push(word);
		}
	}
	// `ledge help kv key` is what many type; it asks for the help of that command.
	if (words[0] === 'help') return {words: [...words.slice(1), '--help'], colonForm};
	return {words: end === -1 ? words : [...words, ...argv.slice(end)], colonForm};
}

const isBoolean = (word: string | undefined): word is 'true' | 'false' => word === 'true' || word === 'false';
