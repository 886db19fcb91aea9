import {findClosestName} from '../../../text/closest-name.ts';
import {abbreviate, type Parser} from '../grammar/parser.ts';
import {type Expression, isLiteral, type Literal} from '../grammar/tree.ts';

type Comparison = Expression & {kind: 'comparison'};
type StringLiteral = Literal & {kind: 'string'};
type IntegerLiteral = Literal & {kind: 'integer'};

/** Adds hints to values that a field can have, but that are unlikely to be intended. */
export function addUnlikelyValueHints(parser: Parser, {left, operator, right}: Comparison): void {
	if (left.kind !== 'field') return;
	const name = left.name;
	const literals = right.kind === 'set' ? right.items : isLiteral(right) ? [right] : [];
	const isEquality = operator === 'eq' || operator === 'ne' || operator === 'in';
	for (const literal of literals)
		if (literal.kind === 'integer') {
			if (name.endsWith('.sec')) addTimeHint(parser, literal);
			else if (isEquality) addNumberHint(parser, name, literal);
		} else if (literal.kind === 'string' && isEquality) addTextHint(parser, name, literal);
}

/** Registered methods (IANA), and those of caches. */
const methods = [
	...[
		'GET',
		'HEAD',
		'POST',
		'PUT',
		'DELETE',
		'CONNECT',
		'OPTIONS',
		'TRACE',
		'PATCH',
		'QUERY',
		'PURGE',
		'PRI',
	],
	...['ACL', 'BASELINE-CONTROL', 'BIND', 'CHECKIN', 'CHECKOUT', 'COPY', 'LABEL', 'LINK', 'LOCK', 'MERGE'],
	...['MKACTIVITY', 'MKCALENDAR', 'MKCOL', 'MKREDIRECTREF', 'MKWORKSPACE', 'MOVE', 'ORDERPATCH', 'PROPFIND'],
	...['PROPPATCH', 'REBIND', 'REPORT', 'SEARCH', 'UNBIND', 'UNCHECKOUT', 'UNLINK', 'UNLOCK', 'UPDATE'],
	...['UPDATEREDIRECTREF', 'VERSION-CONTROL', 'BAN', 'DEBUG', 'TRACK'],
];

function addTextHint(parser: Parser, name: string, literal: StringLiteral): void {
	const {value} = literal;
	// Lower case gets a warning.
	if (name === 'http.request.method' && /^[A-Z-]+$/.test(value) && !methods.includes(value)) {
		const suggestion =
			value.length <= 40 ? parser.suggest(value, word => findClosestName(word, methods)) : undefined;
		parser.hint(
			literal,
			`${abbreviate(value)} is not a registered method, although a client may send it${suggestion === undefined ? '.' : `; did you mean ${suggestion}?`}`,
			{code: 'L104', correction: suggestion && `"${suggestion}"`},
		);
	} else if (name === 'cf.tls_version' && /^SSLv[23]$/.test(value))
		parser.hint(literal, `The service no longer accepts ${value}: its oldest version is TLSv1.`, {
			code: 'L105',
		});
	else if (name === 'http.response.content_type.media_type' && /^[a-z0-9-]+$/.test(value))
		parser.hint(literal, 'A media type has two parts, such as text/html.', {code: 'L106'});
}

/** Scores that are 100 for requests that were not scored. */
const scoreFields = /^cf\.(?:waf\.score(?:\.(?:sqli|xss|rce))?|llm\.prompt\.injection_score)$/;

function addNumberHint(parser: Parser, name: string, literal: IntegerLiteral): void {
	if (name === 'http.response.code' && literal.value >= 600n && literal.value <= 999n)
		parser.hint(literal, 'Status codes of HTTP are 100 to 599, although an origin may send another one.', {
			code: 'L107',
		});
	else if (literal.value === 100n && scoreFields.test(name))
		parser.hint(literal, '100 means that the request was not scored: scores are 1 to 99.', {code: 'L108'});
}

/** The first second of the year 2100. */
const farFuture = 4_102_444_800n;
/** Milliseconds are above this for all times since 1973, and seconds below it until the year 5138. */
const leastMilliseconds = 100_000_000_000n;

function addTimeHint(parser: Parser, literal: IntegerLiteral): void {
	const {value} = literal;
	if (value >= leastMilliseconds)
		parser.hint(literal, 'This field is in seconds, but the value looks like milliseconds.', {
			code: 'L109',
			correction: String(value / 1000n),
		});
	else if (value >= farFuture)
		parser.hint(literal, `This is in the year ${new Date(Number(value) * 1000).getUTCFullYear()}.`, {
			code: 'L109',
		});
}
