/** Switches that wrangler's users write as `--preview false`, `--preview=false` or `--no-preview`. */
const switches = new Set(['--preview', '--local', '--remote', '--text']);

/** Rewrites switches that have a value as plain ones; everything after `--` stays. */
export function normaliseSwitches(argv: readonly string[]): string[] {
	const end = argv.indexOf('--');
	const ownWords = end === -1 ? argv : argv.slice(0, end);
	const words: string[] = [];
	for (let index = 0; index < ownWords.length; index++) {
		const word = ownWords[index] ?? '';
		const [name = '', value] = word.split(/=(.*)/s, 2);
		if (!switches.has(name)) {
			words.push(word);
			continue;
		}
		const switchValue = value ?? (isBoolean(ownWords[index + 1]) ? ownWords[++index] : 'true');
		words.push(isBoolean(switchValue) ? (switchValue === 'true' ? name : `--no-${name.slice(2)}`) : word);
	}
	return end === -1 ? words : [...words, ...argv.slice(end)];
}

const isBoolean = (word: string | undefined): word is 'true' | 'false' => word === 'true' || word === 'false';
