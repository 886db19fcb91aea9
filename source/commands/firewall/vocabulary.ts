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
export async function listVocabulary(
	context: CommandContext,
	text: string,
	phase: Phase | undefined,
): Promise<void> {
	const found = searchVocabulary(text, phase);
	if (context.output.json) {
		await context.output.value({
			date: found.date,
			fields: found.fields.map(toFieldJson),
			functions: found.functions.map(toFunctionJson),
		});
		return;
	}
	const entries = [...found.fields.map(formatField), ...found.functions.map(formatFunction)];
	const counts = `${formatQuantity(found.fields.length, 'field')}, ${formatQuantity(found.functions.length, 'function')}`;
	const fewer = entries.length === 0 && /\s/.test(text.trim()) ? '; each word is looked for: try fewer' : '';
	await context.output.text(`${[...entries, `${counts}; lists of ${found.date}${fewer}`].join('\n')}\n`);
}

const toFieldJson = ({name, type, plan, addOn, phases, exclusive, domain, replacement, about}: Field) => ({
	name,
	type: type ? formatType(type) : null,
	plan: plan ?? null,
	addOn: addOn ?? false,
	/** The only phases that accept the field; null if all do. */
	onlyIn: (exclusive && phases) || null,
	values: domain?.enum ?? null,
	replacement: replacement ?? null,
	about,
});

const toFunctionJson = (one: ExpressionFunction) => ({
	name: one.name,
	call: formatCall(one),
	plan: one.plan ?? null,
	addOn: one.addOn ?? false,
	onlyIn: one.phases ?? null,
	about: one.about,
});

function formatField(field: Field): string {
	const type = field.type ? formatType(field.type) : 'type not documented';
	return formatVocabularyEntry(`${field.name}  ${type}  ${formatPlanAvailability(field)}`, [
		field.about,
		...listEntryFacts(field),
	]);
}

const formatFunction = (one: ExpressionFunction): string =>
	formatVocabularyEntry(`${formatCall(one)}  ${formatPlanAvailability(one)}`, [
		one.about,
		...listEntryFacts(one),
	]);

const formatVocabularyEntry = (title: string, lines: readonly string[]): string =>
	[title, ...lines.map(line => `    ${line}`)].join('\n');

/** `substring(field, start[, end]) → String`. */
function formatCall({name, parameters, returns}: ExpressionFunction): string {
	const parameterList = parameters.map((one, index) => formatParameter(one, index === 0)).join('');
	return `${name}(${parameterList}) → ${returns === 'first' ? 'as its first argument' : formatType(returns)}`;
}

function formatParameter({name, optional, repeated}: Parameter, isFirst: boolean): string {
	const text = `${isFirst ? '' : ', '}${name}${repeated ? ' …' : ''}`;
	return optional ? `[${text}]` : text;
}
