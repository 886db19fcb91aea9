/** Switches that users of wrangler write as `--preview false`, `--preview=false` or `--no-preview`. */
const switches = new Set(['--preview', '--local', '--remote', '--text']);

/** Options whose value is optional, since they would take the next word as their value. */
const fullWords: Readonly<Record<string, string>> = {
	'--dry-run=server': '--dry-run-server',
	'--decode': '--decode=auto',
};

/**
 * Rewrites switches with a value to `--name`, `--no-name` or `--name-value`; leaves everything after `--`
 * unchanged. The words after `--exec` belong to its program, and become repeated `--exec=WORD`.
 */
export function normalizeSwitches(argv: readonly string[]): string[] {
	const end = argv.indexOf('--');
	const wordsBeforeEnd = end === -1 ? argv : argv.slice(0, end);
	const execStart = wordsBeforeEnd.indexOf('--exec');
	if (execStart !== -1 && argv.slice(0, execStart).includes('watch'))
		return [
			...normalizeSwitches(argv.slice(0, execStart)),
			...argv.slice(execStart + 1).map(word => `--exec=${word}`),
		];
	const words: string[] = [];
	for (let index = 0; index < wordsBeforeEnd.length; index++) {
		const word = wordsBeforeEnd[index] ?? '';
		const [name = '', value] = word.split(/=(.*)/s, 2);
		if (!switches.has(name)) {
			words.push(fullWords[word] ?? word);
			continue;
		}
		const switchValue =
			value ?? (isBooleanWord(wordsBeforeEnd[index + 1]) ? wordsBeforeEnd[++index] : 'true');
		words.push(isBooleanWord(switchValue) ? (switchValue === 'true' ? name : `--no-${name.slice(2)}`) : word);
	}
	return end === -1 ? words : [...words, ...argv.slice(end)];
}

const isBooleanWord = (word: string | undefined): word is 'true' | 'false' =>
	word === 'true' || word === 'false';
