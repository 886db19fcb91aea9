import {
	type ExpressionFunction,
	type Field,
	formatPlanAvailability,
	formatType,
	listEntryFacts,
	type Parameter,
	type Phase,
	searchVocabulary,
} from '../../firewall/expression/expressions.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';

/** Prints the fields and functions of a phase whose name or description contains each word of `text`. */
export async function printVocabulary(
	context: CommandContext,
	text: string,
	phase: Phase | undefined,
): Promise<void> {
	const matches = searchVocabulary(text, phase);
	if (context.output.json) {
		await context.output.writeJson({
			date: matches.date,
			fields: matches.fields.map(toFieldJson),
			functions: matches.functions.map(toFunctionJson),
		});
		return;
	}
	const entries = [...matches.fields.map(formatField), ...matches.functions.map(formatFunction)];
	const counts = `${formatQuantity(matches.fields.length, 'field')}, ${formatQuantity(matches.functions.length, 'function')}`;
	const hint = entries.length === 0 && /\s/.test(text.trim()) ? '; every word must match: try fewer' : '';
	await context.output.writeText(`${[...entries, `${counts}; as of ${matches.date}${hint}`].join('\n')}\n`);
}

const toFieldJson = ({
	name,
	type,
	plan,
	addOn,
	phases,
	exclusive,
	domain: allowedValues,
	replacement,
	about,
}: Field) => ({
	name,
	type: type ? formatType(type) : null,
	plan: plan ?? null,
	addOn: addOn ?? false,
	/** The only phases that accept the field; null if all do. */
	onlyIn: (exclusive && phases) || null,
	values: allowedValues?.enum ?? null,
	replacement: replacement ?? null,
	about,
});

const toFunctionJson = (entry: ExpressionFunction) => ({
	name: entry.name,
	call: formatCall(entry),
	plan: entry.plan ?? null,
	addOn: entry.addOn ?? false,
	onlyIn: entry.phases ?? null,
	about: entry.about,
});

function formatField(field: Field): string {
	const type = field.type ? formatType(field.type) : 'type not documented';
	return formatVocabularyEntry(`${field.name}  ${type}  ${formatPlanAvailability(field)}`, [
		field.about,
		...listEntryFacts(field),
	]);
}

const formatFunction = (entry: ExpressionFunction): string =>
	formatVocabularyEntry(`${formatCall(entry)}  ${formatPlanAvailability(entry)}`, [
		entry.about,
		...listEntryFacts(entry),
	]);

const formatVocabularyEntry = (title: string, lines: readonly string[]): string =>
	[title, ...lines.map(line => `    ${line}`)].join('\n');

/** `substring(field, start[, end]) → String`. */
function formatCall({name, parameters, returns}: ExpressionFunction): string {
	const parameterList = parameters
		.map((parameter, index) => formatParameter(parameter, index === 0))
		.join('');
	return `${name}(${parameterList}) → ${returns === 'first' ? 'same as first argument' : formatType(returns)}`;
}

function formatParameter({name, optional, repeated}: Parameter, isFirst: boolean): string {
	const text = `${isFirst ? '' : ', '}${name}${repeated ? ' …' : ''}`;
	return optional ? `[${text}]` : text;
}
