import {array, boolean, type InferOutput, nullable, string} from 'valibot';
import {saysTheSame} from '../../rulesets/difference.ts';
import {readRulesetRule} from '../../rulesets/ruleset.ts';
import {textOf} from '../../text/buffer/buffer.ts';
import {isJsonObject} from '../../text/json.ts';
import {fields} from '../../text/schema.ts';
import {rulesOf} from '../custom-rules/state.ts';
import type {FormCreator} from '../drafts/form.ts';
import {hasLoaded} from '../list/reading.ts';
import {keptRuleForm, readBy} from '../stepped-form/rule-draft.ts';
import {lineOf} from '../stepped-form/rule-form.ts';
import {customRuleKind} from './kind.ts';
import {type CustomEnding, type CustomForm, type CustomPurpose, rebased} from './state.ts';

const schema = fields({
	/** The changed or copied rule, as it was when the form was opened. */
	base: nullable(readBy(({more, ...rule}) => readRulesetRule({...rule, ...(isJsonObject(more) && more)}))),
	isChange: boolean(),
	skipped: array(string()),
	lines: fields({place: string(), description: string(), status: string(), body: string()}),
	type: string(),
	logged: boolean(),
});

/** The form of a custom rule with drafts, which are kept until the input is active or discarded. */
export const createCustomRuleForm: FormCreator = (get, ports) => {
	/**
	 * Finds the current version of the changed rule, and whether it is the same. Undefined for a new rule, or
	 * if the rules were not read.
	 */
	function findChange({purpose}: Pick<CustomForm, 'purpose'>) {
		const customRules = get().customRules.data;
		if (purpose.kind !== 'change' || !customRules || !hasLoaded(customRules)) return undefined;
		const {id} = purpose.rule;
		const now = rulesOf(customRules).find(rule => rule.id === id);
		return {rule: now && {...now, id}, isSame: now !== undefined && saysTheSame(now, purpose.rule)};
	}

	const purpose = ({
		base,
		isChange,
	}: Pick<InferOutput<typeof schema>, 'base' | 'isChange'>): CustomPurpose => {
		if (isChange && base?.id !== undefined) return {kind: 'change', rule: {...base, id: base.id}};
		return {kind: 'new', ...(base && {copyOf: base})};
	};

	return keptRuleForm<CustomForm, CustomPurpose, CustomEnding, typeof schema>(
		customRuleKind,
		{
			schema,
			fields({purpose, chosen, about}) {
				const base = purpose.kind === 'change' ? purpose.rule : purpose.copyOf;
				return {
					base: base ?? null,
					isChange: purpose.kind === 'change',
					skipped: chosen,
					lines: {
						place: textOf(about.order),
						description: textOf(about.description),
						status: textOf(about.status),
						body: textOf(about.body),
					},
					type: about.type,
					logged: about.logged,
				};
			},
			described: ({isChange, lines}) => ({
				name: isChange ? 'change of a custom rule' : 'custom rule',
				description: lines.description,
			}),
			purpose,
			restored(begun, {skipped, lines, type, logged}, isRead) {
				const form: CustomForm = {
					...begun,
					chosen: skipped,
					about: {
						...begun.about,
						order: lineOf(lines.place),
						description: lineOf(lines.description),
						status: lineOf(lines.status),
						body: lineOf(lines.body),
						type,
						logged,
					},
				};
				const change = isRead ? findChange(form) : undefined;
				return change?.rule && !change.isSame ? rebased(form, change.rule, form.ruleset) : form;
			},
			changedSince(draft) {
				const change = findChange({purpose: purpose(draft)});
				if (!change || change.isSame) return undefined;
				return change.rule
					? 'The rule was changed since this was typed: what you changed is kept, the rest is as it is now.'
					: 'The rule is gone: it was deleted since this was typed.';
			},
		},
		get,
		ports,
	);
};
