import {picklist} from 'valibot';
import {goingFirst} from '../../firewall/rules/order.ts';
import {textOf} from '../../text/buffer/buffer.ts';
import {fields} from '../../text/schema.ts';
import type {FormCreator} from '../drafts/form.ts';
import {keptRuleForm} from '../stepped-form/rule-draft.ts';
import {lineOf} from '../stepped-form/rule-form.ts';
import {emergencyKind} from './kind.ts';
import {type EmergencyPurpose, type EmergencyState, type Ending, rulesIn} from './state.ts';

const schema = fields({order: picklist(['first', 'as it comes'])});

/** The emergency screen as a form with drafts, which are kept until the block is active or discarded. */
export const createEmergencyForm: FormCreator = (get, ports) => {
	const form = keptRuleForm<EmergencyState, EmergencyPurpose, Ending, typeof schema>(
		emergencyKind,
		{
			schema,
			fields: ({about}) => ({order: textOf(about.order) === '' ? 'as it comes' : 'first'}),
			described: () => ({name: 'emergency', description: ''}),
			purpose: () => ({}),
			// The first priority depends on the current rules.
			restored: (begun, {order}) =>
				order === 'first'
					? {...begun, about: {...begun.about, order: lineOf(String(goingFirst(rulesIn(begun)).priority))}}
					: begun,
			changedSince: () => undefined,
		},
		get,
		ports,
	);
	return {
		...form,
		offer(draft) {
			const {stage, ...rest} = draft.fields;
			if (stage === undefined) return form.offer(draft);
			// Written by a version whose emergency screen was not yet a rule form.
			return form.offer({
				...draft,
				fields: {...rest, step: stage === 'send' ? 'review' : stage, paused: false},
			});
		},
	};
};
