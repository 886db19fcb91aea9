import {Failure} from '../../failure.ts';
import type {Acting} from '../../firewall/rules/broad-rule.ts';
import {createRule} from '../../firewall/rules/create-rule.ts';
import type {Creation} from '../../firewall/rules/creation.ts';
import {earlierRulesValue, findEarlierRules} from '../../firewall/rules/earlier-rules.ts';
import {filterById, filterOfMeaning} from '../../firewall/rules/filters.ts';
import type {Rule, RuleDraft} from '../../firewall/rules/rule.ts';
import {rules} from '../../firewall/rules/rules.ts';
import {named, usersOf} from '../../firewall/rules/users.ts';
import {orAbsent} from '../../service/read-result.ts';
import {placeOfZone} from '../../session/write-place.ts';
import {ask, canAsk} from '../../terminal/prompt.ts';
import {adviceLines} from '../../text/advice.ts';
import {counted} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {confirmBroad} from './broad.ts';
import {anyZone, refuseUnfit, warnOfOdd} from './check.ts';
import {warnOfEarlierRules} from './emergency-report.ts';
import {withExpression} from './expression.ts';
import {idOf, settingsOf} from './options.ts';
import type {CreateOptions} from './rule.ts';
import {actionOf} from './text.ts';
import {warnOfWafBypass} from './waf-bypass.ts';
import {type OpenedZone, openZone} from './zone.ts';

type Work = OpenedZone & {readonly context: CommandContext; readonly existing: readonly Rule[]};

/**
 * `firewall rule create`: creates the filter, then the rule. If only part of it was created, the failure has
 * the current state, the ids and the command that continues.
 */
export async function createRuleCommand(context: CommandContext, options: CreateOptions): Promise<void> {
	const draft = draftOf(await withExpression(context, options));
	const {allowUnknown} = options;
	refuseUnfit(draft, {...anyZone, allowUnknown});
	const {client, zone} = await openZone(context, {writes: true});
	await context.announceWrite(placeOfZone(zone));
	const existing = await Array.fromAsync(rules(client, zone.id, context.signal));
	refuseUnfit(draft, {...zone, allowUnknown}, {rules: existing});
	warnOfOdd(context, draft, {...zone, allowUnknown}, {rules: existing});
	await warnOfWafBypass(context, {client, zone}, draft);
	await confirmBroad(context, zone, [{after: await actingOf(context, {client, zone}, draft)}], options);
	const work: Work = {context, client, zone, existing};
	if (context.options.dryRun) return planned(work, draft, options.reuseFilter === true);
	const created = await made(work, draft);
	if (created.state !== 'duplicate') return told(work, created);
	await reuse(work, draft, created, options.reuseFilter === true);
}

/** Returns the rule with the filter that it refers to. An unreadable filter is reported when it is used. */
async function actingOf(
	{signal}: CommandContext,
	{client, zone}: OpenedZone,
	draft: RuleDraft,
): Promise<Acting> {
	const {filter} = draft;
	if ('expression' in filter) return {...draft, filter};
	const used = await orAbsent(() => filterById(client, zone.id, filter.id, signal));
	return {...draft, filter: used ?? {}};
}

/** Builds the draft of the options: on an existing filter, or with a new filter of the expression. */
function draftOf(options: CreateOptions): RuleDraft {
	const {expression, filterId, reuseFilter} = options;
	if ((expression === undefined) === (filterId === undefined)) {
		throw new Failure(
			'usage',
			expression === undefined
				? 'No expression was given.'
				: '--expression and --filter-id exclude each other.',
			{next: 'Give --expression for a filter of its own, or --filter-id for an existing filter.'},
		);
	}
	if (filterId !== undefined && reuseFilter) {
		throw new Failure('usage', '--reuse-filter belongs to --expression.', {
			why: '--filter-id names the filter to use already.',
			next: 'Leave one of them out.',
		});
	}
	const {action, ...settings} = settingsOf(options);
	if (action === undefined) {
		throw new Failure('usage', 'No action was given.', {
			next: 'Say what to do with these requests, for example: --action block.',
		});
	}
	return {
		...settings,
		action,
		filter: expression === undefined ? {id: idOf(filterId ?? '', 'filter')} : {expression},
	};
}

/** Creates the rule, with an audit entry per write. */
const made = ({context, client, zone}: Work, draft: RuleDraft): Promise<Creation> => {
	const {output, signal} = context;
	const isFilterToo = 'expression' in draft.filter;
	return context.auditedWrites(
		placeOfZone(zone),
		({sends, wrote}) => {
			let step: 'filter' | 'rule' = 'rule';
			return createRule(client, zone, draft, {
				signal,
				onStep(begins) {
					if (begins === 'looking') return output.say('The answer was lost; reading the current state.');
					step = begins;
					sends(step === 'filter' ? 'create filter' : `create rule (${actionOf(draft)})`);
				},
				onWrite(done) {
					wrote(done);
					// Printed immediately: an interrupted user must know about the filter.
					if (isFilterToo && step === 'filter') output.say(`Created filter ${done.split(' ')[2]}.`);
				},
			});
		},
		creation => ('failure' in creation ? creation.failure : undefined),
	);
};

/**
 * Plans a creation for a dry run. It may read, so it detects a filter of the same expression, which the
 * service would refuse to create again.
 */
async function planned(work: Work, draft: RuleDraft, reuses: boolean): Promise<void> {
	const {context, client, zone, existing} = work;
	const {filter} = draft;
	const before =
		'expression' in filter
			? await filterOfMeaning(client, zone.id, filter.expression, context.signal)
			: undefined;
	if (!before) return told(work, await made(work, draft));
	const sentence = thereAlready(before.id, existing);
	if (!reuses) {
		context.output.warn(
			`${sentence} The service will refuse the first of these requests: --reuse-filter makes the rule on it.`,
		);
		return told(work, await made(work, draft));
	}
	context.output.say(sentence);
	const onThat = {...draft, filter: {id: before.id}};
	await told(work, await made(work, onThat));
}

function thereAlready(filterId: string, existing: readonly Rule[]): string {
	const users = usersOf(filterId, existing);
	const used = users.length === 0 ? 'no firewall rule uses it' : `used by ${named(users)}`;
	return `A filter of this expression exists already: ${filterId}, ${used}.`;
}

/** Uses the existing filter of this expression, if requested or confirmed. Otherwise fails. */
async function reuse(
	work: Work,
	draft: RuleDraft,
	creation: Creation & {state: 'duplicate'},
	wanted: boolean,
): Promise<void> {
	const {filterId} = creation;
	const {context, existing} = work;
	const there = thereAlready(filterId, existing);
	if (!wanted) {
		if (
			!canAsk(context.host) ||
			context.output.json ||
			!(await agreed(context, `${there} Use it for the rule? [y/N] `))
		) {
			const {failure} = creation;
			throw failure.with({
				why: [`${there}`, failure.details.why].filter(Boolean).join('\n'),
				next: adviceLines(failure.details.next, 'Or send the same again with --reuse-filter.'),
			});
		}
	} else context.output.say(there);
	const onThat = {...draft, filter: {id: filterId}};
	await told(work, await made(work, onThat));
}

const agreed = async (context: CommandContext, question: string): Promise<boolean> =>
	/^y(es)?$/i.test((await ask(question, context.host, context.signal)).trim());

/** Prints a creation. Throws if it is incomplete, with the current state and the next step. */
async function told({context, zone, existing}: Work, creation: Creation): Promise<void> {
	switch (creation.state) {
		case 'created': {
			if (context.options.dryRun) return;
			const {rule, filter, afterDoubt} = creation;
			if ('paused' in rule.filter && rule.filter.paused)
				context.output.warn(`The filter ${rule.filter.id} is paused, so the rule does nothing yet.`);
			const earlier =
				'expression' in rule.filter ? findEarlierRules(rule, rule.filter.expression, existing) : [];
			if (!context.output.json) warnOfEarlierRules(context, earlier);
			const on = `filter ${rule.filter.id}${filterOrigin(filter, usersOf(rule.filter.id, existing).length)}`;
			const doubt = afterDoubt ? ' An answer was lost; it was found by reading the current state.' : '';
			const value = {
				...rule,
				filterCreated: filter === 'made',
				earlierRules: earlierRulesValue(earlier),
			};
			return context.result(
				[value],
				`Created rule ${rule.id} (${actionOf(rule)}) on ${on}, in zone ${zone.name}.${doubt}`,
			);
		}
		case 'filter only':
		case 'duplicate':
		case 'unsure':
		case 'nothing':
			throw creation.failure;
	}
}

/** Formats the origin of a new rule's filter, to follow its id. `others`: rules that also use it. */
function filterOrigin(origin: (Creation & {state: 'created'})['filter'], others: number): string {
	switch (origin) {
		case 'made':
			return '';
		case 'found':
			return ' (its answer was lost; found by reading the current state)';
		case 'reused':
			return others === 0 ? ' (existing)' : ` (existing, shared with ${counted(others, 'rule')})`;
	}
}
