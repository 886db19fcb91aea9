import {Option} from 'commander';
import {Failure} from '../../failure.ts';
import {
	type Analysis,
	analyse,
	expressionLength,
	fieldNamed,
	format,
	functionNamed,
	type Phase,
	phaseNamed,
	phaseNames,
	sizeOf,
	typeName,
} from '../../firewall/expression/expressions.ts';
import {type Plan, planNames, plans} from '../../service/plan.ts';
import {chooseZone} from '../../session/zone.ts';
import {type Column, table} from '../../terminal/table.ts';
import {didYouMean, listed} from '../../text/closest-name.ts';
import {counted, grouped} from '../../text/figures.ts';
import {quoted} from '../../text/shell-word.ts';
import type {CommandContext} from '../shell/context.ts';
import {choiceOption, defineCommand, offering, type TypedOption, valueOption} from '../shell/declare.ts';
import {drawnProblems, expressionText, problemValue} from './expression.ts';
import {allowUnknownOption} from './options.ts';
import {listVocabulary} from './vocabulary.ts';

/**
 * `firewall explain`: what an expression means and what is wrong with it, offline. Exits with 0 if it is
 * valid, with or without warnings, else with 1. A zone is read only if it is named, for its plan.
 */
export const firewallExplainCommand = defineCommand({
	usage: 'explain [EXPRESSION]',
	summary: 'what an expression says, and what is wrong with it; - reads standard input',
	example: `firewall explain 'http.host eq "example.com" and not ssl' --plan pro`,
	isOffline: true,
	sample: "'not ssl'",
	options: () => [
		choiceOption('--plan <plan>', 'judge for this plan instead of that of the zone named', plans),
		offering(
			valueOption('--phase <phase>', 'the rules that it is for: custom (the default), managed, ratelimit, …'),
			phaseNames(),
		),
		allowUnknownOption(),
		new Option(
			'--fields [text]',
			'list the fields and functions that have a text in name or description',
		) as TypedOption<{fields?: string | true}>,
	],
	async run(context, options, word) {
		const phase = phaseOf(options.phase);
		if (options.fields !== undefined) {
			refuseBoth(word);
			return listVocabulary(context, options.fields === true ? '' : options.fields, phase);
		}
		const text = await expressionText(context, given(word));
		const plan = options.plan ?? (await planOfZone(context));
		const analysis = analyse(text, {plan, phase, allowUnknown: options.allowUnknown});
		if (context.output.json) await context.output.value(context.marked(explanation(analysis, plan)));
		else await context.output.text(explanationText(analysis, plan));
		if (analysis.errors.length > 0) context.answer(1);
	},
});

/** Parses the name of a phase. Fails with `usage` if it is unknown. */
function phaseOf(name: string | undefined): Phase | undefined {
	if (name === undefined) return undefined;
	const phase = phaseNamed(name);
	if (phase) return phase;
	throw new Failure('usage', `There is no phase "${name}".`, {
		why: `There are: ${listed(phaseNames())}.`,
		next: `${didYouMean(name, phaseNames())}The names of the service are taken as well: http_request_firewall_custom.`,
	});
}

function refuseBoth(word: string | undefined): void {
	if (word === undefined) return;
	throw new Failure('usage', '--fields and an expression exclude each other.', {
		next: `Write the text behind the option: --fields=${quoted(word)}.`,
	});
}

function given(word: string | undefined): string {
	if (word !== undefined) return word;
	throw new Failure('usage', 'There is no expression to explain.', {
		next: "Write it in single quotes, or - to read it from standard input: `ledge firewall explain 'not ssl'`.",
	});
}

/** Returns the plan of the zone that the options name; without one, the service is not called. */
async function planOfZone({options, session, signal}: CommandContext): Promise<Plan | undefined> {
	if (options.zone === undefined && options.zoneId === undefined) return undefined;
	return (await chooseZone(session, {writes: false}, signal)).plan;
}

/**
 * Converts an explanation to the JSON of `--json`. Lines, columns and `characters` count code points from 1;
 * `start` and `end` are offsets in UTF-16 units from 0. `plan` is the plan it was checked for; `formatted` is
 * null if the text does not parse.
 */
function explanation(analysis: Analysis, plan: Plan | undefined) {
	const {text, errors, warnings, hints} = analysis;
	const {characters, bytes} = sizeOf(text);
	return {
		valid: errors.length === 0,
		plan: plan ?? null,
		errors: errors.map(problemValue),
		warnings: warnings.map(problemValue),
		hints: hints.map(problemValue),
		formatted: format(text) ?? null,
		fields: fieldsOf(analysis),
		functions: functionsOf(analysis),
		characters,
		bytes,
	};
}

const fieldsOf = ({fields}: Analysis) =>
	fields.map(name => {
		const field = fieldNamed(name);
		return {
			name,
			type: field?.type ? typeName(field.type) : null,
			plan: field?.plan ?? null,
			addOn: field?.addOn === true,
			about: field?.about ?? null,
			replacement: field?.replacement ?? null,
		};
	});

const functionsOf = ({functions}: Analysis) =>
	functions.map(name => {
		const known = functionNamed(name);
		return {name, plan: known?.plan ?? null, about: known?.about ?? null};
	});

function explanationText(analysis: Analysis, plan: Plan | undefined): string {
	const {text, errors, warnings, hints} = analysis;
	const judged = plan ? ` on the ${planNames[plan]} plan` : '';
	const verdict =
		errors.length === 0
			? `The expression is valid${judged}.`
			: `The expression is not valid${judged}: ${counted(errors.length, 'error')}.`;
	const {characters, bytes} = sizeOf(text);
	const wide = bytes === characters ? '' : ` in ${counted(bytes, 'byte')}`;
	const formatted = format(text);
	return [
		`${[verdict, ...(errors.length > 0 ? ['', drawnProblems(text, errors)] : [])].join('\n')}\n`,
		...(warnings.length > 0 ? [section('Warnings', drawnProblems(text, warnings))] : []),
		...(hints.length > 0 ? [section('Perhaps not meant', drawnProblems(text, hints))] : []),
		...(formatted === undefined ? [] : [section('Written in the usual form', formatted)]),
		...vocabularyTables(analysis).map(([title, rows]) => section(title, rows)),
		`Length: ${grouped(characters)} of ${grouped(expressionLength)} characters${wide}\n`,
	].join('\n');
}

/** Formats a title, and below it lines indented by two spaces. */
const section = (title: string, lines: string): string =>
	`${title}:\n${lines
		.trimEnd()
		.split('\n')
		.map(line => `  ${line}\n`)
		.join('')}`;

function vocabularyTables(analysis: Analysis): [title: string, rows: string][] {
	const fields = fieldsOf(analysis);
	const functions = functionsOf(analysis);
	type Known = {readonly name: string; readonly plan: Plan | null; readonly about: string | null};
	const name: Column<Known> = {title: 'NAME', cell: one => one.name};
	const plan: Column<Known> = {title: 'PLAN', cell: one => (one.plan ? planNames[one.plan] : 'all')};
	const about: Column<Known> = {title: 'ABOUT', cell: one => one.about ?? ''};
	const type: Column<(typeof fields)[number]> = {title: 'TYPE', cell: one => one.type ?? ''};
	const bought: Column<(typeof fields)[number]> = {
		title: 'PLAN',
		cell: one => `${plan.cell(one)}${one.addOn ? ', add-on' : ''}`,
	};
	return [
		...(fields.length > 0
			? [['Looks at', table([name, type, bought, about], fields)] satisfies [string, string]]
			: []),
		...(functions.length > 0
			? [['Calls', table([name, plan, about], functions)] satisfies [string, string]]
			: []),
	];
}
