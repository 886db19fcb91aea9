import {
	type ExpressionFunction,
	type Field,
	factsOf,
	type Parameter,
	type Phase,
	planWords,
	typeName,
	vocabularyWith,
} from '../../firewall/expression/expressions.ts';
import {counted} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';

/** Prints the fields and functions of a phase whose name or description contains each word of `text`. */
export async function listVocabulary(
	context: CommandContext,
	text: string,
	phase: Phase | undefined,
): Promise<void> {
	const found = vocabularyWith(text, phase);
	if (context.output.json) {
		await context.output.value({
			date: found.date,
			fields: found.fields.map(fieldValue),
			functions: found.functions.map(functionValue),
		});
		return;
	}
	const entries = [...found.fields.map(fieldText), ...found.functions.map(functionText)];
	const counts = `${counted(found.fields.length, 'field')}, ${counted(found.functions.length, 'function')}`;
	const fewer = entries.length === 0 && /\s/.test(text.trim()) ? '; each word is looked for: try fewer' : '';
	await context.output.text(`${[...entries, `${counts}; lists of ${found.date}${fewer}`].join('\n')}\n`);
}

const fieldValue = ({name, type, plan, addOn, phases, exclusive, domain, replacement, about}: Field) => ({
	name,
	type: type ? typeName(type) : null,
	plan: plan ?? null,
	addOn: addOn ?? false,
	/** The only phases that accept the field; null if all do. */
	onlyIn: (exclusive && phases) || null,
	values: domain?.enum ?? null,
	replacement: replacement ?? null,
	about,
});

const functionValue = (one: ExpressionFunction) => ({
	name: one.name,
	call: callOf(one),
	plan: one.plan ?? null,
	addOn: one.addOn ?? false,
	onlyIn: one.phases ?? null,
	about: one.about,
});

function fieldText(field: Field): string {
	const type = field.type ? typeName(field.type) : 'type not documented';
	return entryText(`${field.name}  ${type}  ${planWords(field)}`, [field.about, ...factsOf(field)]);
}

const functionText = (one: ExpressionFunction): string =>
	entryText(`${callOf(one)}  ${planWords(one)}`, [one.about, ...factsOf(one)]);

const entryText = (title: string, lines: readonly string[]): string =>
	[title, ...lines.map(line => `    ${line}`)].join('\n');

/** `substring(field, start[, end]) → String`. */
function callOf({name, parameters, returns}: ExpressionFunction): string {
	const written = parameters.map((one, index) => parameterText(one, index === 0)).join('');
	return `${name}(${written}) → ${returns === 'first' ? 'as its first argument' : typeName(returns)}`;
}

function parameterText({name, optional, repeated}: Parameter, isFirst: boolean): string {
	const text = `${isFirst ? '' : ', '}${name}${repeated ? ' …' : ''}`;
	return optional ? `[${text}]` : text;
}
