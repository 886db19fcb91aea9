import type {ExpressionFunction, Field, Parameter} from '../../firewall/expression/vocabulary/entries.ts';
import {type Phase, phasesInWords} from '../../firewall/expression/vocabulary/phases.ts';
import {vocabularyWith} from '../../firewall/expression/vocabulary/search.ts';
import {typeName} from '../../firewall/expression/vocabulary/value-type.ts';
import {planNames} from '../../service/plan.ts';
import {counted} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';

/** Lists the fields and functions that have each word of a text in their name or description, and can be used in a phase. */
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
	await context.output.text(`${[...entries, `${counts}; lists of ${found.date}`].join('\n')}\n`);
}

const fieldValue = ({name, type, plan, addOn, phases, exclusive, domain, replacement, about}: Field) => ({
	name,
	type: type ? typeName(type) : null,
	plan: plan ?? null,
	addOn: addOn ?? false,
	/** Where alone it can be used. */
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
	const {name, type, about, domain, replacement, exclusive, phases} = field;
	return entryText(`${name}  ${type ? typeName(type) : 'type not documented'}  ${planWords(field)}`, [
		about,
		...(domain?.enum ? [`Values: ${domain.enum.filter(value => value !== '').join(', ')}`] : []),
		...(domain?.int ? [`Values: ${domain.int[0]} to ${domain.int[1]}`] : []),
		...(exclusive && phases ? [`Only in ${phasesInWords(phases)}`] : []),
		...(replacement === undefined ? [] : [`Deprecated: use ${replacement}`]),
	]);
}

const functionText = (one: ExpressionFunction): string =>
	entryText(`${callOf(one)}  ${planWords(one)}`, [
		one.about,
		...(one.phases ? [`Only in ${phasesInWords(one.phases)}`] : []),
	]);

const entryText = (title: string, lines: readonly string[]): string =>
	[title, ...lines.map(line => `    ${line}`)].join('\n');

function planWords({plan, addOn}: Pick<Field, 'plan' | 'addOn'>): string {
	const words =
		plan === undefined || plan === 'free'
			? 'all plans'
			: plan === 'enterprise'
				? planNames[plan]
				: `${planNames[plan]} or higher`;
	return addOn ? `${words}, add-on` : words;
}

/** `substring(field, start[, end]) → String`. */
function callOf({name, parameters, returns}: ExpressionFunction): string {
	const written = parameters.map((one, index) => parameterText(one, index === 0)).join('');
	return `${name}(${written}) → ${returns === 'first' ? 'as its first argument' : typeName(returns)}`;
}

function parameterText({name, optional, repeated}: Parameter, isFirst: boolean): string {
	const text = `${isFirst ? '' : ', '}${name}${repeated ? ' …' : ''}`;
	return optional ? `[${text}]` : text;
}
