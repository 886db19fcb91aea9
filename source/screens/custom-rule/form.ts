import {array, boolean, type InferOutput, nullable, string} from 'valibot';
import {isIdenticalRule} from '../../rulesets/difference.ts';
import {readRulesetRule} from '../../rulesets/ruleset.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import {isJsonObject} from '../../text/json.ts';
import {pickFields} from '../../text/schema.ts';
import {getListedRules} from '../rulesets/rule-list.ts';
import type {FormCreator} from '../drafts/form.ts';
import {hasLoaded} from '../list/reading.ts';
import {createLine} from '../stepped-form/about-fields.ts';
import {createReadSchema, createRuleDraftForm} from '../stepped-form/rule-draft.ts';
import {customRuleKind} from './kind.ts';
import {type CustomEnding, type CustomForm, type CustomPurpose, rebaseCustomForm} from './state.ts';

const schema = pickFields({
	/** The changed or copied rule, as it was when the form was opened. */
	base: nullable(
		createReadSchema(({more, ...rule}) => readRulesetRule({...rule, ...(isJsonObject(more) && more)})),
	),
	isChange: boolean(),
	skipped: array(string()),
	lines: pickFields({place: string(), description: string(), status: string(), body: string()}),
	type: string(),
	logged: boolean(),
});

/** The form of a custom rule with drafts, which are kept until the input is active or discarded. */
export const createCustomRuleForm: FormCreator = (get, ports) => {
	/**
	 * Finds the current version of the changed rule, and whether it is the same. Undefined for a new rule, or
	 * if the rules were not read.
	 */
	function compareWithCurrentRule({purpose}: Pick<CustomForm, 'purpose'>) {
		const customRules = get().customRules.data;
		if (purpose.kind !== 'change' || !customRules || !hasLoaded(customRules)) return undefined;
		const {id} = purpose.rule;
		const current = getListedRules(customRules).find(rule => rule.id === id);
		return {
			rule: current && {...current, id},
			isSame: current !== undefined && isIdenticalRule(current, purpose.rule),
		};
	}

	const readPurpose = ({
		base,
		isChange,
	}: Pick<InferOutput<typeof schema>, 'base' | 'isChange'>): CustomPurpose => {
		if (isChange && base?.id !== undefined) return {kind: 'change', rule: {...base, id: base.id}};
		return {kind: 'new', ...(base && {copyOf: base})};
	};

	return createRuleDraftForm<CustomForm, CustomPurpose, CustomEnding, typeof schema>(
		customRuleKind,
		{
			schema,
			toFields({purpose, chosenNames, aboutFields}) {
				const base = purpose.kind === 'change' ? purpose.rule : purpose.copyOf;
				return {
					base: base ?? null,
					isChange: purpose.kind === 'change',
					skipped: chosenNames,
					lines: {
						place: getBufferText(aboutFields.order),
						description: getBufferText(aboutFields.description),
						status: getBufferText(aboutFields.status),
						body: getBufferText(aboutFields.body),
					},
					type: aboutFields.type,
					logged: aboutFields.logged,
				};
			},
			describe: ({isChange, lines}) => ({
				name: isChange ? 'custom rule change' : 'custom rule',
				description: lines.description,
			}),
			readPurpose,
			restore(newForm, {skipped, lines, type, logged}, areListsLoaded) {
				const form: CustomForm = {
					...newForm,
					chosenNames: skipped,
					aboutFields: {
						...newForm.aboutFields,
						order: createLine(lines.place),
						description: createLine(lines.description),
						status: createLine(lines.status),
						body: createLine(lines.body),
						type,
						logged,
					},
				};
				const comparison = areListsLoaded ? compareWithCurrentRule(form) : undefined;
				return comparison?.rule && !comparison.isSame
					? rebaseCustomForm(form, comparison.rule, form.ruleset)
					: form;
			},
			describeChanges(draft) {
				const comparison = compareWithCurrentRule({purpose: readPurpose(draft)});
				if (!comparison || comparison.isSame) return undefined;
				return comparison.rule
					? 'The rule was changed after this draft was saved. Your changes are kept; the rest shows the current rule.'
					: 'The rule no longer exists: it was deleted after this draft was saved.';
			},
		},
		get,
		ports,
	);
};
