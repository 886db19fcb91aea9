import {analyse} from '../../../source/firewall/expression/expressions.ts';
import type {Choose} from './any-expression.ts';

type Mistake = (text: string, choose: Choose) => string;

/** Puts something else at one of the places that a pattern finds; `$1` is its first group. */
const at =
	(pattern: RegExp, ...instead: readonly string[]): Mistake =>
	(text, choose) => {
		const found = [...text.matchAll(pattern)];
		const one = found[choose(Math.max(1, found.length))];
		const written = instead[choose(instead.length)] ?? '';
		if (!one) return text;
		const replaced = written.replaceAll(/\$([0-9])/g, (_, group: string) => one[Number(group)] ?? '');
		return text.slice(0, one.index) + replaced + text.slice(one.index + one[0].length);
	};

/** Leaves out, doubles or exchanges one letter of what a pattern finds. */
const slip =
	(pattern: RegExp): Mistake =>
	(text, choose) => {
		const found = [...text.matchAll(pattern)];
		const one = found[choose(Math.max(1, found.length))];
		if (!one) return text;
		const place = one.index + 1 + choose(Math.max(1, one[0].length - 2));
		const [before, letter, behind] = [text.slice(0, place), text.charAt(place), text.slice(place + 1)];
		const changed = [behind, letter + letter + behind, behind.charAt(0) + letter + behind.slice(1)];
		return before + changed[choose(3)];
	};

const field = String.raw`(?:raw\.)?(?:http|ip|cf)\.[a-z0-9_.]+[a-z0-9](?:\["x"\]\[\d+\])?`;
const value = String.raw`"(?:a|example\.com|ends in space )"`;
const of = (pattern: string): RegExp => new RegExp(pattern, 'g');

/** What people get wrong in expressions, each as it was seen in rules, forums and the documents themselves. */
export const mistakes: readonly Mistake[] = [
	at(/ (?:and|or|not|xor) /g, ' AND ', ' OR ', ' NOT ', ' Or '),
	at(/ (?:eq|==) /g, ' = ', ' === ', ' EQ ', ' is ', ' equals '),
	at(/ (?:ne|!=) /g, ' <> ', ' !== ', ' is not '),
	at(/ >= /g, ' => '),
	at(/ && /g, ' & '),
	at(/ \|\| /g, ' | ', ' , '),
	at(/ contains /g, ' includes ', ' Contains '),
	at(/ (?:matches|~) /g, ' =~ ', ' regex '),
	at(/ wildcard /g, ' like '),
	at(/ /g, '\t', '\u00a0'),
	at(of(` ${value}`), " 'example.com'", ' “example.com”', ' example.com', ' `a`', ' "a', ' "a""', ` "a"'`),
	at(of(` contains ${value}`), ' contains /login', ' contains "a" or "b"', ' contains {"a" "b"}'),
	at(of(` (eq|ne|contains) (${value})`), ' $1 $2 + "b"', ' $1 ($2)', ' $1 $2, "b"'),
	at(/ (-?443|7)\b/g, ' "$1"'),
	at(/ (192\.0\.2\.1)\b/g, ' "$1"', ' $1/24', " '$1'"),
	at(/\b([1-9])\.\.([1-9])/g, '$1-$2', '$1 .. $2', '$2..$1'),
	at(/(?<=\{[^{}"]*)"(a|example\.com)"(?=[^{}"]*\})/g, "'$1'", '$1'),
	at(/(?<=\{"[^{}"]*") (?=")/g, ', ', ' or ', '; '),
	at(/ in \{([^{}]*)\}/g, ' in ($1)', ' in [$1]', ' in {{$1}}', ' in {$1', ' not in {$1}', ' eq {$1}'),
	at(/ in \{("a"|443|::1)\}/g, ' in $1'),
	at(/\$blocked/g, '$Blocked', '$my-list', '{$blocked}'),
	at(/(?<=\() ?|$/g, '('),
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
	at(/ (?:and|&&) (?=http|cf|ip)/g, ' ', ' and and ', ', '),
	at(/(?<=\w)\(([^()]*), ("[^"]*")\)/g, '($1 $2)', '($1; $2)', '($1, $2,)', '($2, $1)', '($1, $2'),
	at(
		of(`(starts|ends)_with\\((${field}), ?("[^"]*")\\)`),
		'$2 $1_with $3',
		'$2 $1 with $3',
		'$1sWith($2, $3)',
	),
	at(of(`(${field}) (contains|matches|wildcard) ("[^"]*")`), '$2($1, $3)', '$1.$2($3)'),
	at(of(`(${field}) (eq|ne|lt|==) ("[^"]*")`), '$3 $2 $1', '($1) $2 $3', '$1$2 $3', '$1 $2 $3 ne "x"'),
	at(/\b(?:any|all)\(([^()]*)\)/g, '$1', 'any $1'),
	at(/(?<=any\([^()]*)\[\*\]/g, ''),
	at(/\blen\(/g, 'length(', 'size(', 'Len('),
	at(/\blower\(/g, 'tolower(', 'lowercase(', 'lower['),
	at(/\["x"\]/g, "['x']", '[x]', '["x"', ' ["x"]', '[“x”]'),
	at(/\bhttp\.request\.uri\b/g, 'http.uri'),
	at(/\bip\.src\.country\b|\bip\.geoip\.country\b/g, 'ip.geo.country', 'ip.src.cou', 'country'),
	at(/\bhttp\.(host|referer|user_agent)\b/g, 'http.request.$1', '$1', 'HTTP.$1'),
	slip(of(field)),
	slip(of(field)),
	slip(/\b(?:lower|upper|concat|substring|starts_with|ends_with|url_decode|lookup_json_string)(?=\()/g),
	slip(/(?<= )(?:contains|matches|wildcard)(?= )/g),
];

/** A text with one of these mistakes, or two. */
export function mistaken(choose: Choose, text: string): string {
	let changed = text;
	for (let left = 1 + (choose(4) === 0 ? 1 : 0); left > 0; left--)
		changed = mistakes[choose(mistakes.length)]?.(changed, choose) ?? changed;
	return changed;
}

/** What is left when the first correction is taken again and again, and whether it is valid. */
export function mended(text: string): {
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
		const {span, text: written} = correction;
		current = current.slice(0, span.start) + written + current.slice(span.end);
	}
}
