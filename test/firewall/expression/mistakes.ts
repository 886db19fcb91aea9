import {analyse} from '../../../source/firewall/expression/expressions.ts';
import type {Choose} from './any-expression.ts';

type MistakeMaker = (text: string, choose: Choose) => string;

/** Replaces one match of a pattern; `$1` in a replacement is the first group of the match. */
const replaceMatch =
	(pattern: RegExp, ...replacements: readonly string[]): MistakeMaker =>
	(text, choose) => {
		const matches = [...text.matchAll(pattern)];
		const match = matches[choose(Math.max(1, matches.length))];
		const replacement = replacements[choose(replacements.length)] ?? '';
		if (!match) return text;
		const replaced = replacement.replaceAll(/\$([0-9])/g, (_, group: string) => match[Number(group)] ?? '');
		return text.slice(0, match.index) + replaced + text.slice(match.index + match[0].length);
	};

/** Drops, doubles or swaps one letter in one match of a pattern. */
const misspellMatch =
	(pattern: RegExp): MistakeMaker =>
	(text, choose) => {
		const matches = [...text.matchAll(pattern)];
		const match = matches[choose(Math.max(1, matches.length))];
		if (!match) return text;
		const letterIndex = match.index + 1 + choose(Math.max(1, match[0].length - 2));
		const [before, letter, after] = [
			text.slice(0, letterIndex),
			text.charAt(letterIndex),
			text.slice(letterIndex + 1),
		];
		const changed = [after, letter + letter + after, after.charAt(0) + letter + after.slice(1)];
		return before + changed[choose(3)];
	};

const field = String.raw`(?:raw\.)?(?:http|ip|cf)\.[a-z0-9_.]+[a-z0-9](?:\["x"\]\[\d+\])?`;
const value = String.raw`"(?:a|example\.com|ends in space )"`;
const toRegExp = (pattern: string): RegExp => new RegExp(pattern, 'g');

/** Mistakes that people make in expressions, as seen in rules, forums and the documentation itself. */
export const mistakes: readonly MistakeMaker[] = [
	replaceMatch(/ (?:and|or|not|xor) /g, ' AND ', ' OR ', ' NOT ', ' Or '),
	replaceMatch(/ (?:eq|==) /g, ' = ', ' === ', ' EQ ', ' is ', ' equals '),
	replaceMatch(/ (?:ne|!=) /g, ' <> ', ' !== ', ' is not '),
	replaceMatch(/ >= /g, ' => '),
	replaceMatch(/ && /g, ' & '),
	replaceMatch(/ \|\| /g, ' | ', ' , '),
	replaceMatch(/ contains /g, ' includes ', ' Contains '),
	replaceMatch(/ (?:matches|~) /g, ' =~ ', ' regex '),
	replaceMatch(/ wildcard /g, ' like '),
	replaceMatch(/ /g, '\t', '\u00a0'),
	replaceMatch(
		toRegExp(` ${value}`),
		" 'example.com'",
		' “example.com”',
		' example.com',
		' `a`',
		' "a',
		' "a""',
		` "a"'`,
	),
	replaceMatch(
		toRegExp(` contains ${value}`),
		' contains /login',
		' contains "a" or "b"',
		' contains {"a" "b"}',
	),
	replaceMatch(toRegExp(` (eq|ne|contains) (${value})`), ' $1 $2 + "b"', ' $1 ($2)', ' $1 $2, "b"'),
	replaceMatch(/ (-?443|7)\b/g, ' "$1"'),
	replaceMatch(/ (192\.0\.2\.1)\b/g, ' "$1"', ' $1/24', " '$1'"),
	replaceMatch(/\b([1-9])\.\.([1-9])/g, '$1-$2', '$1 .. $2', '$2..$1'),
	replaceMatch(/(?<=\{[^{}"]*)"(a|example\.com)"(?=[^{}"]*\})/g, "'$1'", '$1'),
	replaceMatch(/(?<=\{"[^{}"]*") (?=")/g, ', ', ' or ', '; '),
	replaceMatch(
		/ in \{([^{}]*)\}/g,
		' in ($1)',
		' in [$1]',
		' in {{$1}}',
		' in {$1',
		' not in {$1}',
		' eq {$1}',
	),
	replaceMatch(/ in \{("a"|443|::1)\}/g, ' in $1'),
	replaceMatch(/\$blocked/g, '$Blocked', '$my-list', '{$blocked}'),
	replaceMatch(/(?<=\() ?|$/g, '('),
	text => `(${text}`,
	text => `${text})`,
	text => `((${text})`,
	text => `${text} and`,
	text => `or ${text}`,
	text => `${text};`,
	text => `${text} # block`,
	text => `/* all of them */ ${text}`,
	text => `${text}'`,
	text => `${text} and ssl == true`,
	text => `${text} or cf.client.bot eq false`,
	text => `ip.src == 10.0.0.0/8 or ${text}`,
	text => `http.host in {"a", "b"} xor ${text}`,
	text => `${text} xor http.host eq example.com`,
	text => `exists(http.user_agent) and (${text})`,
	text => `http.host in {http.referer} or ${text}`,
	text => `http.host in {"a"} ~ "b" or ${text}`,
	text => `http.host eq "a" and ne "b" or ${text}`,
	text => `80 < cf.edge.server_port < 90 or ${text}`,
	text => `http.headers['x'][0] eq "a" or ${text}`,
	text => `cf.edge.server_port between 1 and 5 xor (${text})`,
	replaceMatch(/ (?:and|&&) (?=http|cf|ip)/g, ' ', ' and and ', ', '),
	replaceMatch(/(?<=\w)\(([^()]*), ("[^"]*")\)/g, '($1 $2)', '($1; $2)', '($1, $2,)', '($2, $1)', '($1, $2'),
	replaceMatch(
		toRegExp(`(starts|ends)_with\\((${field}), ?("[^"]*")\\)`),
		'$2 $1_with $3',
		'$2 $1 with $3',
		'$1sWith($2, $3)',
	),
	replaceMatch(toRegExp(`(${field}) (contains|matches|wildcard) ("[^"]*")`), '$2($1, $3)', '$1.$2($3)'),
	replaceMatch(
		toRegExp(`(${field}) (eq|ne|lt|==) ("[^"]*")`),
		'$3 $2 $1',
		'($1) $2 $3',
		'$1$2 $3',
		'$1 $2 $3 ne "x"',
	),
	replaceMatch(/\b(?:any|all)\(([^()]*)\)/g, '$1', 'any $1'),
	replaceMatch(/(?<=any\([^()]*)\[\*\]/g, ''),
	replaceMatch(/\blen\(/g, 'length(', 'size(', 'Len('),
	replaceMatch(/\blower\(/g, 'tolower(', 'lowercase(', 'lower['),
	replaceMatch(/\["x"\]/g, "['x']", '[x]', '["x"', ' ["x"]', '[“x”]'),
	replaceMatch(/\bhttp\.request\.uri\b/g, 'http.uri'),
	replaceMatch(/\bip\.src\.country\b|\bip\.geoip\.country\b/g, 'ip.geo.country', 'ip.src.cou', 'country'),
	replaceMatch(/\bhttp\.(host|referer|user_agent)\b/g, 'http.request.$1', '$1', 'HTTP.$1'),
	misspellMatch(toRegExp(field)),
	misspellMatch(toRegExp(field)),
	misspellMatch(
		/\b(?:lower|upper|concat|substring|starts_with|ends_with|url_decode|lookup_json_string)(?=\()/g,
	),
	misspellMatch(/(?<= )(?:contains|matches|wildcard)(?= )/g),
];

/** Makes one or two of these mistakes in a text. */
export function addMistakes(choose: Choose, text: string): string {
	let changed = text;
	for (let remaining = 1 + (choose(4) === 0 ? 1 : 0); remaining > 0; remaining--)
		changed = mistakes[choose(mistakes.length)]?.(changed, choose) ?? changed;
	return changed;
}

/** Applies the first correction again and again, at most 40 times, and checks the result. */
export function applyCorrections(text: string): {
	readonly text: string;
	readonly isValid: boolean;
	readonly steps: number;
} {
	let current = text;
	for (let steps = 0; ; steps++) {
		const {errors} = analyse(current);
		if (errors.length === 0) return {text: current, isValid: true, steps};
		const correction = errors.find(error => error.correction)?.correction;
		if (!correction || steps === 40) return {text: current, isValid: false, steps};
		const {span, text: correctionText} = correction;
		current = current.slice(0, span.start) + correctionText + current.slice(span.end);
	}
}
