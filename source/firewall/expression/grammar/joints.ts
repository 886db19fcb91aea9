import {isKnownName, separateKeyword} from '../checks/suggestions.ts';
import {findField} from '../vocabulary/fields.ts';
import {cutConnective} from './glued-keywords.ts';
import {reportPlusAfterValue} from './joined-texts.ts';
import {
	comparisonOperators,
	foreignConnectives,
	listComparisonOperators,
	logicalOperators,
} from './operators.ts';
import type {Correction} from './problem.ts';
import {type Connective, isLogical, isNegation, joinSpans, type Parser} from './reading.ts';
import {correctSeveralValues, describeSeveralValues, isValueLexeme} from './several-values.ts';
import type {Lexeme} from './token.ts';

/**
 * Reads what joins the last condition with the next one; undefined if nothing does. Reports anything else,
 * and skips it if the parser cannot continue there.
 */
export function readConnective(parser: Parser): Connective | undefined {
	const last = parser.connective;
	if (last?.index === parser.index) return last;
	while (parser.current && !parser.isAtBoundary) {
		const {index} = parser;
		const connective = readConnectiveLexeme(parser, parser.current);
		if (connective) {
			const found = {index: parser.index, ...connective};
			parser.connective = found;
			return found;
		}
		if (parser.index === index) parser.index++;
	}
	return undefined;
}

function readConnectiveLexeme(parser: Parser, current: Lexeme): Omit<Connective, 'index'> | undefined {
	const operator = logicalOperators.get(current.text);
	if (operator) return {operator, length: 1};
	if (isLogical(current)) return correctConnective(parser, current);
	if (reportRepeatedNegation(parser, current)) return undefined;
	if (buildTrailingRemoval(parser, current)) {
		reportUnrecognised(parser, current);
		parser.index++;
		return undefined;
	}
	if (reportPlusAfterValue(parser, current) || reportExtraValues(parser)) return undefined;
	if (current.kind === 'sign' && (current.text === ',' || current.text === ';'))
		return reportComma(parser, current);
	if (cutConnective(parser, current))
		return {operator: logicalOperators.get(parser.current?.text ?? '') ?? 'and', length: 1};
	if (reportTrailingParentheses(parser, current)) return undefined;
	if (isConditionStart(parser, current)) {
		const at = {start: current.start, end: current.start};
		parser.syntaxError(current, 'Two conditions are joined by and, or or xor: one of them is missing here.', {
			correction: {span: at, text: 'and '},
		});
		return {operator: 'and', length: 0};
	}
	reportUnrecognised(parser, current);
	parser.skipUnreadable();
	return undefined;
}

/** Corrects `AND`, `&` and `|`. */
function correctConnective(parser: Parser, current: Lexeme): Omit<Connective, 'index'> {
	const intended = foreignConnectives.get(current.text) ?? current.text.toLowerCase();
	parser.syntaxError(
		current,
		foreignConnectives.has(current.text)
			? `Conditions are joined by ${logicalOperators.get(intended)} or ${intended}.`
			: 'Operators are written in lower case.',
		{correction: intended},
	);
	return {operator: logicalOperators.get(intended) ?? 'and', length: 1};
}

function reportComma(parser: Parser, current: Lexeme): Omit<Connective, 'index'> | undefined {
	const {next, previous} = parser;
	const isContinued = next !== undefined && next.text !== ')' && !isLogical(next);
	const span = {start: previous?.end ?? current.start, end: isContinued ? next.start : current.end};
	parser.syntaxError(current, 'Conditions are joined by and, or or xor, not by a comma.', {
		correction: {span, text: isContinued ? ' and ' : ''},
	});
	if (isContinued) return {operator: 'and', length: 1};
	parser.index++;
	return undefined;
}

/**
 * Reports further values after that of a comparison, with or without commas. Returns false if there are none.
 */
function reportExtraValues(parser: Parser): boolean {
	const {lastComparison: last, previous: before, lexemes, index} = parser;
	const values: Lexeme[] = [];
	let place = index;
	for (; ; place++) {
		const one = lexemes[place];
		const separated = one?.text === ',' || one?.text === ';';
		const value = separated ? lexemes[place + 1] : one;
		if (!isValueLexeme(value)) break;
		if (separated) {
			const following = lexemes[place + 2];
			if (following && comparisonOperators.has(following.text)) break;
			place++;
		}
		values.push(value);
	}
	const [first, end] = [lexemes[index], values.at(-1)];
	if (!first || !end) return false;
	const repeats =
		last && before?.end === last.end && (before.kind === 'word' || before.kind === 'string')
			? last
			: undefined;
	const all = before ? [before, ...values] : values;
	const thousands = repeats && /^[0-9]{1,3}(?:,[0-9]{3})+$/.test(parser.text.slice(before?.start, end.end));
	parser.index = place;
	const isWhole = all.every(({quoted}) => quoted?.closed !== false) && !repeats?.negated;
	parser.syntaxError(
		first.kind === 'sign' ? first : joinSpans(first, end),
		thousands
			? 'A comma has no meaning here: a number is written without, and several numbers are written as a set: in {…}.'
			: repeats
				? describeSeveralValues(repeats.operatorText)
				: 'A value has no meaning here: what is it compared with?',
		{
			correction:
				repeats && isWhole && !thousands
					? correctSeveralValues(
							parser,
							repeats,
							all.map(({text}) => text),
							end.end,
						)
					: undefined,
		},
	);
	return true;
}

/** True if a condition starts here, so that only the connective is missing. */
function isConditionStart(parser: Parser, {kind, text}: Lexeme): boolean {
	const {current, next} = parser;
	if (current && isNegation(current)) return true;
	if (kind === 'sign') return text === '(';
	if (kind !== 'word' || comparisonOperators.has(text)) return false;
	if (findField(text) || (text.startsWith('not') && isKnownName(text.slice(3)))) return true;
	if (separateKeyword(text)) return false;
	return (
		next !== undefined && ((next.kind === 'sign' && next.text === '(') || comparisonOperators.has(next.text))
	);
}

/** Corrects a second operator: `ip.src in {…} ~ "a"`. Undefined if the intention is unclear. */
function buildRepeatedComparison(parser: Parser, operator: Lexeme): Correction | undefined {
	const {lastComparison: last, previous, next, lexemes} = parser;
	if (!last || last.negated || previous?.end !== last.end || !next || isLogical(next)) return undefined;
	const before = lexemes.findLast(({end}) => end <= last.left.start);
	const type = findField(parser.slice(last.left))?.type;
	const intended = comparisonOperators.get(operator.text);
	if (
		(before && isNegation(before)) ||
		(type && intended && !listComparisonOperators(type).includes(intended))
	)
		return undefined;
	const [first, second] = [last.operatorText, operator.text].map(text => comparisonOperators.get(text));
	if (first === 'eq' && second === 'eq') return undefined;
	const at = {start: operator.start, end: operator.start};
	return {span: at, text: `and ${parser.slice(last.left)} `};
}

/** Reports `http.host contains "a" not contains "b"`. Returns false if there is no such negation. */
function reportRepeatedNegation(parser: Parser, not: Lexeme): boolean {
	const {next, index} = parser;
	if (!isNegation(not) || !next || !comparisonOperators.has(next.text) || isLogical(next)) return false;
	const {lastComparison: last, previous} = parser;
	const isSure = last !== undefined && !last.negated && previous?.end === last.end;
	const span = {start: not.start, end: next.start};
	parser.syntaxError(next, 'This condition is complete: it cannot be compared once more.', {
		correction: isSure ? {span, text: `and not ${parser.slice(last.left)} `} : undefined,
	});
	parser.index = index + 2;
	parser.skipToBoundary();
	return true;
}

/** Reports opening parentheses at the end. Returns false if there are none. */
function reportTrailingParentheses(parser: Parser, first: Lexeme): boolean {
	const rest = parser.lexemes.slice(parser.index);
	const last = rest.at(-1);
	if (!last || !rest.every(({text}) => text === '(')) return false;
	parser.syntaxError(joinSpans(first, last), 'Nothing follows what is opened here.', {correction: ''});
	parser.index += rest.length;
	return true;
}

/** Builds the removal of a stray quote or sign at the very end. */
function buildTrailingRemoval(
	{lexemes, index, previous}: Parser,
	{start, end, kind, quoted}: Lexeme,
): Correction | undefined {
	const isLast = index === lexemes.length - 1 && previous !== undefined;
	const isEmpty = quoted !== undefined && !quoted.closed && quoted.from === quoted.to;
	return isLast && (isEmpty || kind === 'unknown') ? {span: {start, end}, text: ''} : undefined;
}

function reportUnrecognised(parser: Parser, current: Lexeme): void {
	const separated = current.kind === 'word' ? separateKeyword(current.text) : undefined;
	const isOperator = comparisonOperators.has(current.text);
	parser.syntaxError(
		current,
		separated
			? `A space is missing: ${separated}.`
			: isOperator
				? 'This condition is complete: it cannot be compared once more.'
				: 'This cannot be understood here: and, or, xor or the end is expected.',
		{
			correction:
				separated ??
				(isOperator ? buildRepeatedComparison(parser, current) : buildTrailingRemoval(parser, current)),
		},
	);
}
