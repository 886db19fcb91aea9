import {type FirewallEdit, getEditItem, listEditDifferences} from '../../firewall/rules/edits.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import {formatQuantity} from '../../text/figures.ts';

/** Picks the edits that a sentence is about: those of the rules, or of the filters if there are none. */
export function pickMainEdits(edits: readonly FirewallEdit[]): readonly FirewallEdit[] {
	const ruleEdits = edits.filter(({kind}) => kind === 'rule');
	return ruleEdits.length > 0 ? ruleEdits : edits;
}

/** Describes in a sentence what an undo did. `edits`: as they took effect. Raw text. */
export function describeUndone(edits: readonly FirewallEdit[]): string {
	const mainEdits = pickMainEdits(edits);
	const [first] = mainEdits;
	if (!first) return 'Nothing was undone.';
	const {kind} = first;
	if (mainEdits.length > 1) {
		const aspects = new Set(mainEdits.map(edit => listAspects(edit).several));
		const [aspect = ''] = aspects;
		const countText = formatQuantity(mainEdits.length, kind);
		if (mainEdits.every(({after}) => !after)) return `Undone: deleted ${countText}, which you had created.`;
		return `Undone: ${countText} ${aspects.size === 1 ? aspect : 'are as before'}.`;
	}
	// The name is last, because the message line is short.
	const name = formatRuleName(getEditItem(first));
	if (first.before && first.after && listEditDifferences(first.before, first.after).length === 0)
		return `Nothing to undo: the ${kind} already is as before: ${name}.`;
	if (edits.length > 1)
		return first.before
			? `Undone: deleted the rule and its filter, which you had created: ${name}.`
			: `Undone: the rule and its filter were created again, with new ids: ${name}.`;
	if (!first.after) return `Undone: deleted the ${kind}, which you had created: ${name}.`;
	return `Undone: the ${kind} ${listAspects(first).one}: ${name}.`;
}

/** What an edit changed, as a phrase for one and for several rules or filters. */
type Aspects = {readonly one: string; readonly several: string};

function listAspects({before, after}: FirewallEdit): Aspects {
	if (!before) return {one: 'was created again, with a new id', several: 'were created again, with new ids'};
	if (!after) return {one: 'was deleted', several: 'were deleted'};
	const aspects: Aspects[] = [];
	if (before.paused !== after.paused) {
		const state = after.paused ? 'paused' : 'active';
		aspects.push({one: `is ${state}`, several: `are ${state}`});
	}
	if ('filter' in after && 'filter' in before) aspects.push(...listRuleAspects(before, after));
	else if ('expression' in after && 'expression' in before && before.expression !== after.expression)
		aspects.push({one: 'has its earlier expression', several: 'have their earlier expressions'});
	if ((before.description ?? '') !== (after.description ?? ''))
		aspects.push({one: 'has its earlier description', several: 'have their earlier descriptions'});
	if (aspects.length === 0) return {one: 'is as before', several: 'are as before'};
	return {
		one: `${aspects.map(({one}) => one).join(' and ')} again`,
		several: `${aspects.map(({several}) => several).join(' and ')} again`,
	};
}

function listRuleAspects(before: Rule, after: Rule): readonly Aspects[] {
	const aspects: Aspects[] = [];
	if (before.action !== after.action)
		aspects.push({one: `has the action ${after.action}`, several: 'have their earlier actions'});
	else if (before.products?.join() !== after.products?.join())
		aspects.push({
			one: `bypasses ${after.products?.join(', ') || 'nothing'}`,
			several: 'bypass what they did',
		});
	if (before.priority !== after.priority)
		aspects.push({
			one: `has ${after.priority === null ? 'no priority' : `priority ${after.priority}`}`,
			several: 'have their earlier priorities',
		});
	return aspects;
}

/** Names what an undo is about, for the status line: "2 rules", "filter 0123". */
export function formatUndoSubject(edits: readonly FirewallEdit[]): string {
	const mainEdits = pickMainEdits(edits);
	const [first] = mainEdits;
	if (!first) return '';
	return mainEdits.length > 1
		? formatQuantity(mainEdits.length, first.kind)
		: `${first.kind} ${getEditItem(first).id}`;
}
