import type {FieldValue} from '../../../../source/firewall/expression/field-value.ts';
import {parseIpAddress} from '../../../../source/firewall/expression/grammar/addresses.ts';
import type {
	Expression,
	Literal,
	Operand,
	RightSide,
} from '../../../../source/firewall/expression/grammar/tree.ts';
import type {SampleRequest} from '../../../../source/firewall/expression/sample-requests.ts';
import type {Choose} from '../any-expression.ts';

const chooseOne = <Thing>(choose: Choose, things: readonly Thing[]): Thing => {
	const thing = things[choose(things.length)];
	if (thing === undefined) throw new RangeError('nothing to choose from');
	return thing;
};

const texts = ['', 'a', 'b', 'ab', 'abc', 'B', 'aB', 'cab'];
const patterns = ['*', 'a*', '*b', '*a*', 'ab', 'A*', 'a*b', '*B*c', 'b*'];
const regexes = ['^a', 'b$', '^ab$', 'a.c', '^[ab]+$', 'a|^$', '(a|b)c', '.*'];
const numbers = ['0', '1', '5', '6', '50', '99', '100'];
const addresses = ['10.0.0.0', '10.0.0.1', '10.0.1.0', '::', '::1', '255.255.255.255'];
const networks = ['10.0.0.0/8', '10.0.0.0/31', '10.0.0.1..10.0.1.9', '0.0.0.0/0', '::/0', '::/127'];
const continents = ['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA', 'T1'];
const orders = ['lt', 'le', 'gt', 'ge'];

const quote = (text: string): string => `"${text}"`;

function chooseSet(choose: Choose, values: readonly string[]): string {
	return `in {${Array.from({length: 1 + choose(3)}, () => chooseOne(choose, values)).join(' ')}}`;
}

function textCondition(choose: Choose, name: string): string {
	const text = quote(chooseOne(choose, texts));
	switch (choose(12)) {
		case 0:
		case 1:
		case 2:
			return `${name} eq ${text}`;
		case 3:
		case 4:
			return `${name} ne ${text}`;
		case 5:
			return `${name} ${chooseSet(choose, texts.map(quote))}`;
		case 6:
			return `${name} contains ${text}`;
		case 7:
			return `starts_with(${name}, ${text})`;
		case 8:
			return `ends_with(${name}, ${text})`;
		case 9:
			return `${name} ${chooseOne(choose, ['wildcard', 'strict wildcard'])} ${quote(chooseOne(choose, patterns))}`;
		case 10:
			return `${name} matches ${quote(chooseOne(choose, regexes))}`;
		default:
			return `${name} ${chooseOne(choose, orders)} ${text}`;
	}
}

function numberCondition(choose: Choose, name: string): string {
	switch (choose(8)) {
		case 0:
			return `${name} ${chooseSet(choose, [...numbers, '1..5', '6..99', '0..100'])}`;
		case 1:
			return `${name} & ${chooseOne(choose, numbers)}`;
		default:
			return `${name} ${chooseOne(choose, ['eq', 'ne', ...orders])} ${chooseOne(choose, numbers)}`;
	}
}

const addressCondition = (choose: Choose, name: string): string =>
	choose(2) === 0
		? `${name} ${chooseOne(choose, ['eq', 'ne'])} ${chooseOne(choose, addresses)}`
		: `${name} ${chooseSet(choose, [...addresses, ...networks])}`;

/** Makes conditions on one field or two related operands, so that they often exclude each other. */
const conditionMakers: readonly ((choose: Choose) => string)[] = [
	choose => textCondition(choose, 'http.host'),
	choose => textCondition(choose, 'http.request.headers["x"][0]'),
	choose => textCondition(choose, 'lower(http.referer)'),
	choose =>
		choose(3) === 0
			? numberCondition(choose, 'len(http.user_agent)')
			: textCondition(choose, choose(3) === 0 ? 'upper(http.user_agent)' : 'http.user_agent'),
	choose => numberCondition(choose, 'ip.src.asnum'),
	choose => numberCondition(choose, 'cf.waf.score'),
	choose => addressCondition(choose, 'ip.src'),
	choose => chooseOne(choose, ['ssl', 'not ssl', 'cf.client.bot']),
	choose =>
		choose(2) === 0
			? `ip.src.continent ${chooseOne(choose, ['eq', 'ne'])} ${quote(chooseOne(choose, continents))}`
			: `ip.src.continent in {${continents
					.filter(() => choose(8) > 0)
					.map(quote)
					.concat(quote('AF'))
					.join(' ')}}`,
	choose => {
		const [first, second] = [0, 1].map(() => textCondition(choose, 'http.request.cookies["c"][*]'));
		switch (choose(6)) {
			case 0:
				return `any(${first})`;
			case 1:
				return `all((${first} and ${second}))`;
			case 2:
				return `any((${first} or ${second}))`;
			default:
				return chooseOne(choose, ['ssl', 'cf.client.bot', 'not cf.client.bot']);
		}
	},
];

/** An expression of few fields, which is often always or never true. */
export function makeRelatedConditions(choose: Choose): string {
	const makers = Array.from({length: 1 + choose(2)}, () => chooseOne(choose, conditionMakers));
	return joinConditions(choose, 2 + choose(4), () => chooseOne(choose, makers)(choose));
}

function joinConditions(choose: Choose, count: number, make: () => string): string {
	if (count === 1) {
		const condition = make();
		return choose(4) === 0 ? `not ${condition}` : choose(6) === 0 ? `(${condition})` : condition;
	}
	const firstCount = 1 + choose(count - 1);
	const operator = chooseOne(choose, ['and', 'and', 'and', 'or', 'or', 'or', 'xor']);
	const [first, second] = [firstCount, count - firstCount].map(partCount => {
		const part = joinConditions(choose, partCount, make);
		return partCount > 1 ? `${choose(5) === 0 ? 'not ' : ''}(${part})` : part;
	});
	return `${first} ${operator} ${second}`;
}

type FieldValues = ReadonlyMap<string, readonly FieldValue[]>;

/**
 * Collects values of the fields of an expression at the bounds of its conditions: those it names, their
 * neighbours, combinations of two texts, and no value where that is possible.
 */
export function collectBoundaryValues(tree: Expression): FieldValues {
	const literals = new Map<string, Literal[]>();
	const collectOperand = (operand: Operand, compared: readonly Literal[]): void => {
		if (operand.kind === 'call')
			for (const argument of operand.arguments)
				if (argument.kind === 'expression') collect(argument.expression);
				else
					collectOperand(argument, [
						...compared,
						...operand.arguments.filter((one): one is Literal => one.kind === 'string'),
					]);
		else if (operand.kind === 'field')
			literals.set(operand.name, [...(literals.get(operand.name) ?? []), ...compared]);
	};
	const collect = (node: Expression): void => {
		if (node.kind === 'group') collect(node.inner);
		else if (node.kind === 'not') collect(node.operand);
		else if (node.kind === 'logical') for (const operand of node.operands) collect(operand);
		else if (node.kind === 'bare') collectOperand(node.operand, []);
		else collectOperand(node.left, listLiterals(node.right));
	};
	collect(tree);
	return new Map([...literals].map(([name, ones]) => [name, listFieldValues(name, ones)]));
}

const listLiterals = (right: RightSide): readonly Literal[] =>
	right.kind === 'set'
		? right.items
		: right.kind === 'field' || right.kind === 'call' || right.kind === 'list'
			? []
			: [right];

function listFieldValues(name: string, literals: readonly Literal[]): readonly FieldValue[] {
	switch (name) {
		case 'ssl':
		case 'cf.client.bot':
			return [true, false];
		case 'ip.src.continent':
			return ['', ...continents];
		case 'ip.src.asnum':
			return listNumbers(literals);
		case 'cf.waf.score':
			return listNumbers(literals).filter(value => value >= 1 && value <= 100);
		case 'ip.src':
			return listAddresses(literals);
		case 'http.request.headers':
		case 'http.request.cookies': {
			const key = name.endsWith('headers') ? 'x' : 'c';
			const values = listTexts(literals);
			return [
				{byName: new Map()},
				{byName: new Map([[key, []]])},
				...values.flatMap((value, index) => [
					{byName: new Map([[key, [value]]])},
					{byName: new Map([[key, [value, values[(index * 7 + 3) % values.length]]]])},
				]),
			];
		}
		default:
			return listTexts(literals);
	}
}

function listNumbers(literals: readonly Literal[]): readonly number[] {
	const named = literals.flatMap(literal =>
		literal.kind === 'range' ? [literal.first, literal.last] : [literal],
	);
	const values = named.flatMap(literal => (literal.kind === 'integer' ? [Number(literal.value)] : []));
	const bits = Array.from({length: 128}, (_, value) => value);
	return [...new Set([...values.flatMap(value => [value - 1, value, value + 1]), -1, 1e6, ...bits])];
}

const addressWidths = {4: 32n, 6: 128n};

function listAddresses(literals: readonly Literal[]): readonly FieldValue[] {
	const values = literals.flatMap(literal => {
		switch (literal.kind) {
			case 'range':
				return [literal.first, literal.last].flatMap(one => (one.kind === 'address' ? [one.text] : []));
			case 'address':
				return [literal.text];
			default:
				return [];
		}
	});
	const ends = [...values, '1.2.3.4', '2001:db8::', ...addresses].flatMap(text => {
		const address = parseIpAddress(text);
		return address.ok ? [address] : [];
	});
	const networkEnds = literals.flatMap(literal => {
		if (literal.kind !== 'network') return [];
		const address = parseIpAddress(literal.text.replace(/\/.*/, ''));
		if (!address.ok) return [];
		const size = 1n << (addressWidths[address.version] - BigInt(literal.bits));
		return [address, {...address, value: address.value + size - 1n}];
	});
	return [...ends, ...networkEnds].flatMap(({version, value}) =>
		[value - 1n, value, value + 1n]
			.filter(one => one >= 0n && one < 1n << addressWidths[version])
			.map(one => ({version, value: one})),
	);
}

function listTexts(literals: readonly Literal[]): readonly string[] {
	const named = literals.flatMap(literal =>
		literal.kind === 'string' ? [literal.value.replace(/[*^$+|()[\]]/g, '').replaceAll('.', 'x')] : [],
	);
	const parts = [...new Set(['', 'z', ...named])];
	return [
		...new Set([
			...parts,
			...parts.flatMap(part => [part.toUpperCase(), part.toLowerCase(), `${part}\0`, `!${part}`]),
			...parts.flatMap(one => parts.flatMap(other => [one + other, `${one}z${other}`, `!${one}${other}`])),
			...named.flatMap(one => named.flatMap(two => named.map(three => one + two + three))).slice(0, 200),
			...parts.flatMap(part => [`${part}zzzzzz`, `zzzzzz${part}`]),
			'z'.repeat(50),
			'z'.repeat(99),
			'z'.repeat(100),
			'z'.repeat(101),
			...texts,
		]),
	];
}

/** Makes requests from values of fields: all combinations up to a number, otherwise a part of them. */
export function makeBoundaryRequests(values: FieldValues, maxCount: number): readonly SampleRequest[] {
	const fields = [...values];
	const combinations = fields.reduce((product, [, ones]) => product * ones.length, 1);
	const count = Math.min(combinations, maxCount);
	return Array.from({length: count}, (_, index) => {
		// Spread over all combinations, without a pattern.
		let rest = combinations <= maxCount ? index : (index * 2_654_435_761) % combinations;
		const chosen = new Map<string, FieldValue>();
		for (const [name, ones] of fields) {
			chosen.set(name, ones[rest % ones.length]);
			rest = Math.floor(rest / ones.length);
		}
		return {index, version: 4, field: (name: string) => chosen.get(name)};
	});
}
