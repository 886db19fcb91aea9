import {Failure} from '../../failure.ts';
import type {RuleEffect} from '../../firewall/rules/broad-rule.ts';
import {createRule} from '../../firewall/rules/create-rule.ts';
import type {Creation} from '../../firewall/rules/creation.ts';
import {findEarlierRules, toEarlierRulesValue} from '../../firewall/rules/earlier-rules.ts';
import {findEquivalentFilter, readFilterById} from '../../firewall/rules/filters.ts';
import type {Rule, RuleDraft} from '../../firewall/rules/rule.ts';
import {listFirewallRules} from '../../firewall/rules/rules.ts';
import {findFilterUsers, formatRuleNames} from '../../firewall/rules/users.ts';
import {readIfPresent} from '../../service/read-result.ts';
import {toZonePlace} from '../../session/write-place.ts';
import {askQuestion, canAsk} from '../../terminal/prompt.ts';
import {joinAdviceLines} from '../../text/advice.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {buildExclusionFailure} from '../shell/declare.ts';
import {anyZone, refuseInvalidDraft, warnAboutDraft} from './check.ts';
import {confirmBroadRules} from './confirm-broad-rules.ts';
import {warnOfEarlierRules} from './emergency-report.ts';
import {resolveStdinExpression} from './expression.ts';
import {applyEnd, parseId, parseRuleSettings} from './options.ts';
import type {RuleCreateOptions} from './rule.ts';
import {formatFirewallAction} from './text.ts';
import {warnOfWafBypass} from './waf-bypass.ts';
import {type OpenedZone, openZone} from './zone.ts';

type CreationWork = OpenedZone & {readonly context: CommandContext; readonly existingRules: readonly Rule[]};

/**
 * `firewall rule create`: creates the filter, then the rule. If only the filter was created, the failure has
 * the current state, the ids and the command that continues.
 */
export async function createRuleCommand(context: CommandContext, options: RuleCreateOptions): Promise<void> {
	const draft = buildRuleDraft(withEnd(context, await resolveStdinExpression(context, options)));
	const {allowUnknown} = options;
	refuseInvalidDraft(draft, {...anyZone, allowUnknown});
	const {client, zone} = await openZone(context, {writes: true});
	await context.announceWrite(toZonePlace(zone));
	const existingRules = await Array.fromAsync(listFirewallRules(client, zone.id, context.signal));
	refuseInvalidDraft(draft, {...zone, allowUnknown}, {rules: existingRules});
	warnAboutDraft(context, draft, {...zone, allowUnknown}, {rules: existingRules});
	await warnOfWafBypass(context, {client, zone}, draft);
	await confirmBroadRules(
		context,
		zone,
		[{after: await resolveRuleEffect(context, {client, zone}, draft)}],
		options,
	);
	const work: CreationWork = {context, client, zone, existingRules};
	if (context.options.dryRun) return planCreation(work, draft, options.reuseFilter === true);
	const creation = await sendCreation(work, draft);
	if (creation.state !== 'duplicate') return printCreation(work, creation);
	await reuseExistingFilter(work, draft, creation, options.reuseFilter === true);
}

/** Returns the rule with the filter that it refers to. An unreadable filter is reported when it is used. */
async function resolveRuleEffect(
	{signal}: CommandContext,
	{client, zone}: OpenedZone,
	draft: RuleDraft,
): Promise<RuleEffect> {
	const {filter} = draft;
	if ('expression' in filter) return {...draft, filter};
	const usedFilter = await readIfPresent(() => readFilterById(client, zone.id, filter.id, signal));
	return {...draft, filter: usedFilter ?? {}};
}

function withEnd(context: CommandContext, options: RuleCreateOptions): RuleCreateOptions {
	const {expression, for: seconds} = options;
	if (seconds === undefined) return options;
	if (expression === undefined) throw buildExclusionFailure('--for', '--filter-id', 'Use --expression.');
	return {...options, expression: applyEnd(context, expression, seconds)};
}

/** Builds the draft from the options: on an existing filter, or with a new filter for the expression. */
function buildRuleDraft(options: RuleCreateOptions): RuleDraft {
	const {expression, filterId, reuseFilter} = options;
	if ((expression === undefined) === (filterId === undefined)) {
		throw new Failure(
			'usage',
			expression === undefined
				? 'No expression was given.'
				: "--expression and --filter-id can't be combined.",
			{next: 'Use --expression to create a filter, or --filter-id for an existing one.'},
		);
	}
	if (filterId !== undefined && reuseFilter) {
		throw new Failure('usage', '--reuse-filter requires --expression.', {
			why: '--filter-id already names the filter to use.',
			next: 'Leave one of them out.',
		});
	}
	const {action, ...settings} = parseRuleSettings(options);
	if (action === undefined) {
		throw new Failure('usage', 'No action was given.', {
			next: 'Specify what to do with these requests, for example: --action block.',
		});
	}
	return {
		...settings,
		action,
		filter: expression === undefined ? {id: parseId(filterId ?? '', 'filter')} : {expression},
	};
}

/** Creates the filter, if new, and the rule, with one audit entry per write. */
const sendCreation = ({context, client, zone}: CreationWork, draft: RuleDraft): Promise<Creation> => {
	const {output, signal} = context;
	const createsFilter = 'expression' in draft.filter;
	return context.auditWrites(
		toZonePlace(zone),
		({onSend, onWritten}) => {
			let step: 'filter' | 'rule' = 'rule';
			return createRule(client, zone, draft, {
				signal,
				onStep(nextStep) {
					if (nextStep === 'looking') return output.say('The response was lost; checking the current state.');
					step = nextStep;
					onSend(step === 'filter' ? 'create filter' : `create rule (${formatFirewallAction(draft)})`);
				},
				onWritten(writeText) {
					onWritten(writeText);
					// Printed immediately: an interrupted user must know about the filter.
					if (createsFilter && step === 'filter') output.say(`Created filter ${writeText.split(' ')[2]}.`);
				},
			});
		},
		creation => ('failure' in creation ? creation.failure : undefined),
	);
};

/**
 * Shows the requests of a creation in a dry run. Looks for a filter with the same expression, because the
 * service would refuse to create it again.
 */
async function planCreation(work: CreationWork, draft: RuleDraft, reusesFilter: boolean): Promise<void> {
	const {context, client, zone, existingRules} = work;
	const {filter} = draft;
	const existingFilter =
		'expression' in filter
			? await findEquivalentFilter(client, zone.id, filter.expression, context.signal)
			: undefined;
	if (!existingFilter) return printCreation(work, await sendCreation(work, draft));
	const sentence = describeExistingFilter(existingFilter.id, existingRules);
	if (!reusesFilter) {
		context.output.warn(
			`${sentence} The service will reject the first of these requests; with --reuse-filter, the rule uses the existing filter.`,
		);
		return printCreation(work, await sendCreation(work, draft));
	}
	context.output.say(sentence);
	const reusingDraft = {...draft, filter: {id: existingFilter.id}};
	await printCreation(work, await sendCreation(work, reusingDraft));
}

function describeExistingFilter(filterId: string, existingRules: readonly Rule[]): string {
	const users = findFilterUsers(filterId, existingRules);
	const usageNote = users.length === 0 ? 'no firewall rule uses it' : `used by ${formatRuleNames(users)}`;
	return `A filter with this expression already exists: ${filterId}, ${usageNote}.`;
}

/** Uses the existing filter with this expression, if that was requested or is confirmed; else fails. */
async function reuseExistingFilter(
	work: CreationWork,
	draft: RuleDraft,
	creation: Creation & {state: 'duplicate'},
	isReuseRequested: boolean,
): Promise<void> {
	const {filterId} = creation;
	const {context, existingRules} = work;
	const existingNote = describeExistingFilter(filterId, existingRules);
	if (!isReuseRequested) {
		if (
			!canAsk(context.host) ||
			context.output.json ||
			!(await askYesNo(context, `${existingNote} Use it for the rule? [y/N] `))
		) {
			const {failure} = creation;
			throw failure.withDetails({
				why: [`${existingNote}`, failure.details.why].filter(Boolean).join('\n'),
				next: joinAdviceLines(failure.details.next, 'Or run the same command with --reuse-filter.'),
			});
		}
	} else context.output.say(existingNote);
	const reusingDraft = {...draft, filter: {id: filterId}};
	await printCreation(work, await sendCreation(work, reusingDraft));
}

const askYesNo = async (context: CommandContext, question: string): Promise<boolean> =>
	/^y(es)?$/i.test((await askQuestion(question, context.host, context.signal)).trim());

/** Prints a complete creation. Else throws a failure with the current state and the next step. */
async function printCreation(
	{context, zone, existingRules}: CreationWork,
	creation: Creation,
): Promise<void> {
	switch (creation.state) {
		case 'created': {
			if (context.options.dryRun) return;
			const {rule, filter, foundAfterLostResponse} = creation;
			if ('paused' in rule.filter && rule.filter.paused)
				context.output.warn(`The filter ${rule.filter.id} is paused, so the rule does nothing yet.`);
			const earlierRules =
				'expression' in rule.filter ? findEarlierRules(rule, rule.filter.expression, existingRules) : [];
			if (!context.output.json) warnOfEarlierRules(context, earlierRules);
			const filterText = `filter ${rule.filter.id}${formatFilterOrigin(filter, findFilterUsers(rule.filter.id, existingRules).length)}`;
			const lostResponseNote = foundAfterLostResponse
				? ' A response was lost; a later check confirmed the rule.'
				: '';
			const value = {
				...rule,
				filterCreated: filter === 'made',
				earlierRules: toEarlierRulesValue(earlierRules),
			};
			return context.printResult(
				[value],
				`Created rule ${rule.id} (${formatFirewallAction(rule)}) on ${filterText}, in zone ${zone.name}.${lostResponseNote}`,
			);
		}
		case 'filter only':
		case 'duplicate':
		case 'unsure':
		case 'nothing':
			throw creation.failure;
	}
}

/**
 * Formats the origin of a new rule's filter, to be appended to its id. `otherUserCount`: number of other
 * rules that use it.
 */
function formatFilterOrigin(
	origin: (Creation & {state: 'created'})['filter'],
	otherUserCount: number,
): string {
	switch (origin) {
		case 'made':
			return '';
		case 'found':
			return ' (response lost; confirmed by a later check)';
		case 'reused':
			return otherUserCount === 0
				? ' (existing)'
				: ` (existing, shared with ${formatQuantity(otherUserCount, 'rule')})`;
	}
}
