import {Option} from 'commander';
import {createMissingFailure, singleEventsSubject} from '../../analytics/problem.ts';
import {readEventMatches} from '../../events/event-matches.ts';
import {Failure} from '../../failure.ts';
import {
	type Analysis,
	analyse,
	findField,
	findFunction,
	findPhase,
	formatExpression,
	formatType,
	listPhaseNames,
	maxExpressionLength,
	measureExpression,
	type Phase,
} from '../../firewall/expression/expressions.ts';
import {listAllLints} from '../../firewall/lint/rule-lints.ts';
import {type ZonePlan, zonePlanNames, zonePlans} from '../../service/plan.ts';
import {formatTable, type TextColumn} from '../../terminal/table.ts';
import {formatDidYouMean, formatNameList} from '../../text/closest-name.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {quoteShellWord} from '../../text/shell-word.ts';
import type {CommandContext} from '../shell/context.ts';
import {
	createChoiceOption,
	createValueOption,
	defineCommand,
	type TypedOption,
	withCompletion,
} from '../shell/declare.ts';
import {parseRangeUntilNow} from './events-options.ts';
import {formatProblems, readExpression, toExpressionProblemJson} from './expression.ts';
import {appendCodes, createDenyOption, isDenied, linkCodes, printLints} from './lint-codes.ts';
import {formatMatchLines, toMatchesJson, type ZoneMatches} from './matches-text.ts';
import {isTimeClipped, warnOfMissingEvents} from './missing-events.ts';
import {createAllowUnknownOption} from './options.ts';
import {printVocabulary} from './vocabulary.ts';
import {loadNamedZone, openZone} from './zone.ts';

/**
 * `firewall explain`: what an expression means and what is wrong with it, offline. Exits with 0 if it is
 * valid, with or without warnings unless `--deny` says otherwise, else with 1. A zone is read only if it is
 * named, for its plan, or for its security events.
 */
export const firewallExplainCommand = defineCommand({
	usage: 'explain [EXPRESSION]',
	summary: 'explain an expression and its errors; - reads standard input',
	example: `firewall explain 'http.host eq "example.com" and not ssl' --plan pro`,
	isOffline: true,
	sampleArguments: "'not ssl'",
	options: () => [
		createChoiceOption('--plan <plan>', "check for this plan instead of the named zone's plan", zonePlans),
		withCompletion(
			createValueOption('--phase <phase>', 'phase to check it for: custom (default), managed, ratelimit, …'),
			listPhaseNames(),
		),
		createValueOption(
			'--events <time>',
			"count the zone's security events since then that it matches: 30m, 24h, 7d, or a time",
		),
		createAllowUnknownOption(),
		createDenyOption(),
		new Option(
			'--fields [text]',
			'list fields and functions whose name or description contains the text',
		) as TypedOption<{fields?: string | true}>,
		withCompletion(
			new Option(
				'--code [code]',
				'explain the code of an error, warning or hint; without one, list all',
			) as TypedOption<{code?: string | true}>,
			listAllLints().map(({code}) => code),
		),
	],
	async run(context, options, word) {
		const phase = parsePhase(options.phase);
		if (options.fields !== undefined) {
			refuseWithExpression('--fields', word);
			return printVocabulary(context, options.fields === true ? '' : options.fields, phase);
		}
		if (options.code !== undefined) {
			refuseWithExpression('--code', word);
			return printLints(context, options.code === true ? undefined : options.code);
		}
		const text = await readExpression(context, requireExpression(word));
		const range =
			options.events === undefined
				? undefined
				: parseRangeUntilNow('--events', options.events, context.now());
		const plan = options.plan ?? (await loadNamedZone(context))?.plan;
		const analysis = analyse(text, {plan, phase, allowUnknown: options.allowUnknown});
		const isValid = analysis.errors.length === 0;
		const matches = range && isValid ? await loadMatches(context, text, range) : undefined;
		if (context.output.json)
			await context.output.writeJson(
				context.markSimulated({
					...toExplanationJson(analysis, plan),
					...(range && {events: matches ? toMatchesJson(matches) : null}),
				}),
			);
		else await context.output.writeText(linkCodes(formatExplanation(analysis, plan, matches)));
		if (isDenied(analysis, options.deny)) context.setExitCode(1);
	},
});

/**
 * Reads which of the zone's latest security events the expression matches. Fails if the events cannot be
 * read.
 */
async function loadMatches(
	context: CommandContext,
	text: string,
	range: ReturnType<typeof parseRangeUntilNow>,
): Promise<ZoneMatches> {
	const {client, zone} = await openZone(context, {writes: false});
	const {value, problems} = await readEventMatches(client, zone.id, text, range, context.signal);
	if (!value) throw createMissingFailure(singleEventsSubject, problems[0]);
	const isClipped = !value.hasMore && isTimeClipped(value, range);
	if (!context.output.json) warnOfMissingEvents(context, problems, isClipped ? value.since : undefined);
	return {...value, zone, isClipped, problems};
}

/** Parses a phase name. Fails with `usage` if it is unknown. */
export function parsePhase(name: string | undefined): Phase | undefined {
	if (name === undefined) return undefined;
	const phase = findPhase(name);
	if (phase) return phase;
	throw new Failure('usage', `Unknown phase "${name}".`, {
		why: `Known phases: ${formatNameList(listPhaseNames())}.`,
		next: `${formatDidYouMean(name, listPhaseNames())}The service's names work too, such as http_request_firewall_custom.`,
	});
}

function refuseWithExpression(option: '--fields' | '--code', word: string | undefined): void {
	if (word === undefined) return;
	throw new Failure('usage', `${option} and an expression can't be combined.`, {
		next:
			option === '--fields'
				? `To search for that text: --fields=${quoteShellWord(word)}.`
				: 'To explain a code: `ledge firewall explain --code L001`.',
	});
}

function requireExpression(word: string | undefined): string {
	if (word !== undefined) return word;
	throw new Failure('usage', 'No expression to explain.', {
		next: "Put it in single quotes, or use - to read it from standard input: `ledge firewall explain 'not ssl'`.",
	});
}

/**
 * Converts an explanation to the JSON of `--json`. Lines, columns and `characters` count code points from 1;
 * `start` and `end` are offsets in UTF-16 units from 0. `plan` is the plan for which the expression was
 * checked; `formatted` is null if the text does not parse.
 */
function toExplanationJson(analysis: Analysis, plan: ZonePlan | undefined) {
	const {text, errors, warnings, hints} = analysis;
	const {characters, bytes} = measureExpression(text);
	return {
		valid: errors.length === 0,
		plan: plan ?? null,
		errors: errors.map(toExpressionProblemJson),
		warnings: warnings.map(toExpressionProblemJson),
		hints: hints.map(toExpressionProblemJson),
		formatted: formatExpression(text) ?? null,
		fields: toFieldsJson(analysis),
		functions: toFunctionsJson(analysis),
		characters,
		bytes,
	};
}

const toFieldsJson = ({fields}: Analysis) =>
	fields.map(name => {
		const field = findField(name);
		return {
			name,
			type: field?.type ? formatType(field.type) : null,
			plan: field?.plan ?? null,
			addOn: field?.addOn === true,
			about: field?.about ?? null,
			replacement: field?.replacement ?? null,
		};
	});

const toFunctionsJson = ({functions}: Analysis) =>
	functions.map(name => {
		const knownFunction = findFunction(name);
		return {name, plan: knownFunction?.plan ?? null, about: knownFunction?.about ?? null};
	});

function formatExplanation(
	analysis: Analysis,
	plan: ZonePlan | undefined,
	matches: ZoneMatches | undefined,
): string {
	const {text, errors, warnings, hints} = analysis;
	const planNote = plan ? ` on the ${zonePlanNames[plan]} plan` : '';
	const verdict =
		errors.length === 0
			? `The expression is valid${planNote}.`
			: `The expression is not valid${planNote}: ${formatQuantity(errors.length, 'error')}.`;
	const {characters, bytes} = measureExpression(text);
	const bytesNote = bytes === characters ? '' : ` (${formatQuantity(bytes, 'byte')})`;
	const formatted = formatExpression(text);
	return [
		`${[verdict, ...(errors.length > 0 ? ['', formatProblems(text, appendCodes(errors))] : [])].join('\n')}\n`,
		...(warnings.length > 0 ? [formatSection('Warnings', formatProblems(text, appendCodes(warnings)))] : []),
		...(hints.length > 0 ? [formatSection('Hints', formatProblems(text, appendCodes(hints)))] : []),
		...(formatted === undefined ? [] : [formatSection('Formatted', formatted)]),
		...buildVocabularyTables(analysis).map(([title, rows]) => formatSection(title, rows)),
		...(matches ? [formatSection('Security events', formatMatchLines(matches))] : []),
		`Length: ${formatInteger(characters)} of ${formatInteger(maxExpressionLength)} characters${bytesNote}\n`,
	].join('\n');
}

/** Formats a title, followed by the lines, indented by two spaces. */
const formatSection = (title: string, lines: string): string =>
	`${title}:\n${lines
		.trimEnd()
		.split('\n')
		.map(line => `  ${line}\n`)
		.join('')}`;

function buildVocabularyTables(analysis: Analysis): [title: string, rows: string][] {
	const fields = toFieldsJson(analysis);
	const functions = toFunctionsJson(analysis);
	type VocabularyEntry = {
		readonly name: string;
		readonly plan: ZonePlan | null;
		readonly about: string | null;
	};
	const nameColumn: TextColumn<VocabularyEntry> = {title: 'NAME', cell: entry => entry.name};
	const planColumn: TextColumn<VocabularyEntry> = {
		title: 'PLAN',
		cell: entry => (entry.plan ? zonePlanNames[entry.plan] : 'all'),
	};
	const aboutColumn: TextColumn<VocabularyEntry> = {title: 'ABOUT', cell: entry => entry.about ?? ''};
	const typeColumn: TextColumn<(typeof fields)[number]> = {title: 'TYPE', cell: field => field.type ?? ''};
	const planOrAddOnColumn: TextColumn<(typeof fields)[number]> = {
		title: 'PLAN',
		cell: field => `${planColumn.cell(field)}${field.addOn ? ', add-on' : ''}`,
	};
	return [
		...(fields.length > 0
			? [
					[
						'Fields',
						formatTable([nameColumn, typeColumn, planOrAddOnColumn, aboutColumn], fields),
					] satisfies [string, string],
				]
			: []),
		...(functions.length > 0
			? [
					['Functions', formatTable([nameColumn, planColumn, aboutColumn], functions)] satisfies [
						string,
						string,
					],
				]
			: []),
	];
}
