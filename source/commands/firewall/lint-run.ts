import {isUtf8} from 'node:buffer';
import {isAbsolute} from 'node:path';
import {pathToFileURL} from 'node:url';
import {Failure} from '../../failure.ts';
import type {KnownList} from '../../firewall/expression/expressions.ts';
import {type LintFinding, type LintLevel, lintLevels, lintRules} from '../../firewall/lint/findings.ts';
import {groupFirewallExport, isFirewallExport} from '../../firewall/lint/firewall-rules.ts';
import {formatLintedRule, type LintInput, type RuleGroup} from '../../firewall/lint/rule-group.ts';
import {findAnyLint} from '../../firewall/lint/rule-lints.ts';
import {groupRulesFile} from '../../firewall/lint/rules-file.ts';
import {buildSarifLog} from '../../firewall/lint/sarif.ts';
import {groupTerraformRules, isTerraformJson} from '../../firewall/lint/terraform.ts';
import {readKnownLists, readZoneGroups} from '../../firewall/lint/zone-rules.ts';
import {parseRulesFile} from '../../rule-files/parse.ts';
import type {ZonePlan} from '../../service/plan.ts';
import {checkFileSize} from '../../session/input-file.ts';
import {JsonTooDeep, parseJsonText} from '../../text/json.ts';
import type {CommandContext} from '../shell/context.ts';
import {buildExclusionFailure} from '../shell/declare.ts';
import {readInputValue} from '../shell/input.ts';
import {claimOutputFile, writeOutputFile} from '../shell/output-file.ts';
import {parsePhase} from './explain.ts';
import type {LintOptions} from './lint.ts';
import {linkCodes} from './lint-codes.ts';
import {formatLintReport, toLintReportJson} from './lint-text.ts';
import {openZone} from './zone.ts';

/** What is checked, and for which zone. */
type LintSubject = LintInput & {
	readonly plan: ZonePlan | undefined;
	readonly lists: readonly KnownList[] | undefined;
};

/** `firewall lint`. Exits with 1 if a finding has at least the level of `--deny`. */
export async function runLint(
	context: CommandContext,
	options: LintOptions,
	...fileArguments: readonly string[]
): Promise<void> {
	const {output} = context;
	const {sarif, deny = 'error', allowUnknown} = options;
	if (output.json && sarif === '-') throw buildExclusionFailure('--json', '--sarif -');
	const phase = parsePhase(options.phase);
	const sarifPath = sarif === undefined || sarif === '-' ? undefined : context.resolve(sarif);
	const overwrite = context.options.yes === true;
	using _claim = sarifPath === undefined ? undefined : claimOutputFile(sarifPath, overwrite);
	const subject = await loadSubject(context, options, fileArguments);
	const {lists} = subject;
	const groups = subject.groups.filter(group => phase === undefined || group.phase === phase);
	const plan = options.plan ?? subject.plan;
	const now = context.now() / 1000;
	const findings = groups.flatMap(group => lintRules(group, {plan, lists, allowUnknown, now}));
	const report = {groups, findings, leftOut: [...subject.leftOut, ...groups.flatMap(listUnknownRules)]};
	if (sarif !== undefined) {
		const text = `${JSON.stringify(buildSarifLog(findings, {version: LEDGE_VERSION, findLint: findAnyLint, toUri}), null, 2)}\n`;
		if (sarifPath === undefined) return finish(context, deny, findings, output.writeJsonText(text));
		writeOutputFile(sarifPath, text, overwrite);
	}
	await finish(
		context,
		deny,
		findings,
		output.json
			? output.writeJson(context.markSimulated(toLintReportJson(report)))
			: output.writeText(linkCodes(formatLintReport(report))),
	);
}

/** Lists the rules whose expression is unknown. */
const listUnknownRules = (group: RuleGroup): LintInput['leftOut'] =>
	group.rules.flatMap(rule =>
		rule.unknownReason === undefined ? [] : [{name: formatLintedRule(group, rule), why: rule.unknownReason}],
	);

async function finish(
	context: CommandContext,
	deny: LintLevel,
	findings: readonly LintFinding[],
	written: Promise<void>,
): Promise<void> {
	await written;
	const isDenied = ({level}: LintFinding) => lintLevels.indexOf(level) <= lintLevels.indexOf(deny);
	if (findings.some(isDenied)) context.setExitCode(1);
}

/** Reads the files, or the zone if there are none. A zone that is named beside files gives its plan and lists. */
async function loadSubject(
	context: CommandContext,
	{allowUnknown}: LintOptions,
	fileArguments: readonly string[],
): Promise<LintSubject> {
	const {signal, options} = context;
	const inputs: LintInput[] = [];
	for (const file of new Set(fileArguments)) inputs.push(await readLintFile(context, file, allowUnknown));
	const isZoneNamed = options.zone !== undefined || options.zoneId !== undefined;
	if (inputs.length > 0 && !isZoneNamed) return {...joinInputs(inputs), plan: undefined, lists: undefined};
	const {client, zone} = await openZone(context, {writes: false});
	const lists =
		zone.accountId === undefined ? undefined : await readKnownLists(client, zone.accountId, signal);
	if (inputs.length === 0) inputs.push(await readZoneGroups(client, zone, signal));
	return {...joinInputs(inputs), plan: zone.plan, lists};
}

const joinInputs = (inputs: readonly LintInput[]): LintInput => ({
	groups: inputs.flatMap(({groups}) => groups),
	leftOut: inputs.flatMap(({leftOut}) => leftOut),
});

/** Reads a file in any format that has rules; JSON is told apart by its fields. */
async function readLintFile(
	context: CommandContext,
	fileArgument: string,
	allowUnknown: boolean | undefined,
): Promise<LintInput> {
	const bytes = await readInputValue(context.resolve(fileArgument), context, checkFileSize);
	const name = fileArgument === '-' ? 'standard input' : fileArgument;
	if (!isUtf8(bytes))
		throw new Failure('input_malformed', `${name} is not UTF-8 text.`, {next: 'Save it as UTF-8.'});
	const text = bytes.toString('utf8');
	if (text.trim() === '')
		throw new Failure('input_malformed', `${name} is empty.`, {next: 'Specify a file with rules.'});
	const isJson = /^\s*\{/.test(text);
	const value = isJson ? tryParseJson(text, name) : undefined;
	if (isTerraformJson(value)) return groupTerraformRules(value, name);
	if (isFirewallExport(value)) return groupFirewallExport(value, name);
	const file = parseRulesFile(text, {name, format: value === undefined ? 'yaml' : 'json', allowUnknown});
	return {groups: groupRulesFile(file), leftOut: []};
}

/** Undefined for text that is not JSON; it may be YAML, which also has braces. */
function tryParseJson(text: string, name: string): unknown {
	try {
		return parseJsonText(text);
	} catch (cause) {
		if (!(cause instanceof JsonTooDeep)) return undefined;
		throw new Failure('input_malformed', `${name} can't be read.`, {
			why: cause.message,
			next: 'Specify a file with rules.',
			cause,
		});
	}
}

/** Converts a path as given to a URI; a relative one stays relative. */
const toUri = (path: string): string =>
	isAbsolute(path) ? pathToFileURL(path).href : path.split(/[/\\]/).map(encodeURIComponent).join('/');
