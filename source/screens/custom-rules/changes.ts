import {doing} from '../../firewall/rules/custom-rule-words.ts';
import {findCustomRuleReasons} from '../../firewall/rules/name-reasons.ts';
import {skippedBy} from '../../firewall/rules/skip.ts';
import {changeSentence} from '../../rulesets/change.ts';
import {changesBetween} from '../../rulesets/difference.ts';
import {restored} from '../../rulesets/edit-to.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import type {Has, LedgeState} from '../../store/ledge-store.ts';
import {drawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {whenOff, whenOn} from '../firewall/effects.ts';
import {actionsOf, readOnly, withFound} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {wasRead} from '../shell/rereading.ts';
import {askBeforeWrite, askForZoneName} from '../shell/zone-name.ts';
import {readVersions} from '../versions/versions.ts';
import {
	type CustomRulesState,
	customRuleUnderCursor,
	placeOfRule,
	rulesOf,
	visibleCustomRules,
} from './state.ts';
import type {RuleThere} from './writes.ts';

const action = actionsOf('Custom rules', ['customRules']);

const isMoving = ({customRules: {data: customRules}}: Has<'customRules'>): boolean =>
	customRules?.moving !== undefined;
const isListed = (state: Has<'customRules'>): boolean => !isMoving(state);

/** Why no custom rule can be changed here. One write of these rules is under way at a time. */
export function notChangeable(
	state: Has<'customRules' | 'connection'> & Has<'work', 'list'>,
): string | undefined {
	const customRules = state.customRules.data;
	if (state.connection.data?.readOnly) return readOnly(state);
	if (!customRules) return 'no zone is open';
	if (!wasRead(customRules))
		return customRules.reading === 'reading'
			? 'its rules are still being read'
			: 'its rules were not read; ctrl-r reads them';
	const writing = state.work.list.find(({subject}) => subject?.kind === 'custom rules');
	return writing && `${writing.label} is still under way`;
}

const nothing = 'there is no rule here';
const ruleHere = ({customRules: {data: customRules}}: Has<'customRules'>) =>
	customRuleUnderCursor(customRules);

/** A write of the service, under way until it has its answer. */
const change = (
	{state}: App,
	label: string,
	write: (state: LedgeState, signal: AbortSignal) => Promise<void>,
): void => void state().work.run(label, 'write', signal => write(state(), signal), {kind: 'custom rules'});

/** "rule 3 (block): Scrapers", so that nobody takes it for another. */
const inWords = (state: CustomRulesState, rule: RulesetRule): string =>
	`rule ${placeOfRule(rulesOf(state), rule)} (${drawable(doing(rule))}): ${cutEnd(drawable(rule.description || rule.expression), 160)}`;

/** The same for a dialog about the rule: with its expression, which a description does not tell. */
const inFull = (state: CustomRulesState, rule: RulesetRule): readonly string[] => [
	inWords(state, rule),
	...(rule.description ? [cutEnd(drawable(rule.expression), 400)] : []),
];

const effectOf = (rule: RulesetRule) => ({action: rule.action, products: skippedBy(rule)});

/** Asks before a write that makes these rules: for the zone's name where it is needed, else for a yes. */
function ask(
	app: App,
	customRules: CustomRulesState,
	wanted: readonly RulesetRule[],
	question: {readonly title: string; readonly lines: readonly string[]; readonly does: string},
	confirm: () => void,
): void {
	const {zone} = customRules;
	const reasons = findCustomRuleReasons(zone, rulesOf(customRules), wanted);
	askBeforeWrite(app.state(), zone, {...question, reasons}, confirm);
}

function pauseRule(app: App, rule: RuleThere): void {
	const customRules = app.state().customRules.data;
	if (!customRules) return;
	const paused = rule.enabled !== false;
	const lines = [...inFull(customRules, rule), paused ? whenOff(effectOf(rule)) : whenOn(effectOf(rule))];
	const does = paused ? 'pause it' : 'resume it';
	const confirm = () =>
		change(app, `${paused ? 'pausing' : 'resuming'} custom rule ${rule.id}`, (now, signal) =>
			now.customRules.pause(rule, paused, signal),
		);
	const title = paused ? 'Pause this rule?' : 'Put this rule in force again?';
	const after = rulesOf(customRules).map(one => (one.id === rule.id ? {...one, enabled: !paused} : one));
	ask(app, customRules, after, {title, lines, does}, confirm);
}

function deleteRule(app: App, rule: RuleThere): void {
	const customRules = app.state().customRules.data;
	if (!customRules) return;
	app.state().dialog.open({
		kind: 'confirm',
		title: 'Delete this rule?',
		lines: [
			...inFull(customRules, rule),
			rule.enabled === false ? 'It does nothing now: it is paused.' : whenOff(effectOf(rule)),
			'u restores it right afterwards, V at any time: earlier versions still have it.',
		],
		does: 'delete it',
		confirm: () =>
			change(app, `deleting custom rule ${rule.id}`, (now, signal) => now.customRules.delete(rule, signal)),
	});
}

/** The change that was made last, the other way round. */
function undo(app: App): void {
	const customRules = app.state().customRules.data;
	const last = customRules?.undo;
	if (!customRules || !last) return;
	const wanted = restored(rulesOf(customRules), last.rules);
	const changes = changesBetween(rulesOf(customRules), wanted);
	const does = 'undo it';
	const lines = [last.done, ...changes.map(one => changeSentence(one, 'planned'))];
	const confirm = () =>
		change(app, 'undoing a change of custom rules', (now, signal) =>
			now.customRules.restore(
				{rules: last.rules, version: String(Number(last.version) - 1), undoes: last.done},
				undefined,
				signal,
			),
		);
	ask(app, customRules, wanted, {title: 'Undo the last change?', lines, does}, confirm);
}

/** Asks whether to put the rules of a version in force again, the zone's name where that makes a rule act on all traffic. */
function restoreVersion(app: App, then: Ruleset): void {
	const customRules = app.state().customRules.data;
	if (!customRules) return;
	const wanted = restored(rulesOf(customRules), then.rules);
	const changes = changesBetween(rulesOf(customRules), wanted);
	if (changes.length === 0) {
		app.state().messages.say(`Version ${then.version} has the rules that are in force.`);
		return;
	}
	const does = 'restore it';
	const lines = changes.map(one => changeSentence(one, 'planned'));
	const confirm = () => {
		app.state().navigation.back();
		change(app, 'restoring custom rules', (now, signal) => now.customRules.restore(then, undefined, signal));
	};
	ask(app, customRules, wanted, {title: `Restore version ${then.version}?`, lines, does}, confirm);
}

/** Why the last change made here cannot be taken back. */
function notUndoable(state: Has<'customRules' | 'connection'> & Has<'work', 'list'>): string | undefined {
	const customRules = state.customRules.data;
	const refused = notChangeable(state);
	if (refused) return refused;
	if (!customRules?.undo) return 'nothing was changed here in this session; V has the earlier versions';
	return customRules.ruleset?.version === customRules.undo.version
		? undefined
		: 'the rules were changed elsewhere since; V has the earlier versions';
}

/** What is changed from the list, each after it was said what that means for requests. */
export const customRuleChanges: readonly Action[] = [
	action('custom.pause', ['p'], 'pause the custom rule', {
		hint: 'pause',
		words: ['disable', 'turn off'],
		isHere: state => isListed(state) && ruleHere(state)?.enabled !== false,
		...withFound(ruleHere, nothing, pauseRule, notChangeable),
	}),
	action('custom.resume', ['p'], 'put the paused custom rule in force again', {
		hint: 'resume',
		words: ['enable', 'turn on', 'unpause'],
		isHere: state => isListed(state) && ruleHere(state)?.enabled === false,
		...withFound(ruleHere, nothing, pauseRule, notChangeable),
	}),
	action('custom.delete', ['d'], 'delete the custom rule', {
		hint: 'delete',
		words: ['remove'],
		destroys: true,
		isHere: isListed,
		...withFound(ruleHere, nothing, deleteRule, notChangeable),
	}),
	action('custom.move', ['o'], 'move the custom rule: change the order', {
		hint: 'move',
		words: ['reorder', 'order', 'priority', 'position'],
		isHere: isListed,
		...withFound(
			ruleHere,
			nothing,
			({state}) => state().customRules.beginMove(),
			state =>
				notChangeable(state) ??
				(visibleCustomRules(state.customRules.data ?? {ruleset: undefined, sought: ''}).length > 1 ||
				state.customRules.data?.sought
					? undefined
					: 'it is the only rule'),
		),
	}),
	action('custom.drop-move', ['esc'], 'leave the order as it is', {
		elsewhere: 'never',
		hint: 'leave it',
		isHere: isMoving,
		run: app => app.state().customRules.endMove(),
	}),
	action('custom.send-move', ['enter'], 'send the new order', {
		elsewhere: 'never',
		hint: 'send the new order',
		destroys: true,
		isHere: isMoving,
		unavailable: notChangeable,
		run(app) {
			const customRules = app.state().customRules.data;
			if (!customRules?.moving) return;
			const {id, order} = customRules.moving;
			const send = () =>
				change(app, `moving custom rule ${id}`, (now, signal) => now.customRules.sendMove(signal));
			const reasons = findCustomRuleReasons(customRules.zone, rulesOf(customRules), order);
			// The list in front shows the new order: without a reason enter is its confirmation.
			if (reasons.length === 0) send();
			else askForZoneName(app.state(), customRules.zone, {reasons, does: 'send the new order'}, send);
		},
	}),
	action('custom.versions', ['V'], 'earlier versions of the custom rules, to restore one', {
		elsewhere: 'at once',
		hint: 'versions',
		words: ['history', 'restore', 'roll back', 'previous versions', 'older rules'],
		isHere: isListed,
		...withFound(
			({customRules: {data: customRules}}) => customRules?.ruleset,
			'the zone has no custom rules yet',
			(app, ruleset) => {
				const zone = app.state().customRules.data?.zone;
				if (!zone) return;
				const restore = (then: Ruleset) => restoreVersion(app, then);
				app.state().versions.open({zone, ruleset, called: 'custom rules', restore});
				app.state().navigation.go('versions');
				readVersions(app);
			},
		),
	}),
	action('custom.undo', ['u'], 'undo the last change of custom rules made here', {
		elsewhere: 'never',
		hint: 'undo',
		words: ['take back', 'revert'],
		isHere: isListed,
		unavailable: notUndoable,
		run: undo,
	}),
];
