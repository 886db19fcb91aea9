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

/** The emergency screen as a form that keeps drafts: until it is in force, or discarded. */
export const createEmergencyForm: FormCreator = (get, ports) => {
	const form = keptRuleForm<EmergencyState, EmergencyPurpose, Ending, typeof schema>(
		emergencyKind,
		{
			schema,
			fields: ({about}) => ({order: textOf(about.order) === '' ? 'as it comes' : 'first'}),
			described: () => ({name: 'emergency', description: ''}),
			purpose: () => ({}),
			// Which priority is first depends on the rules that are there by now.
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
			// Written before the emergency was a form of a rule.
			return form.offer({
				...draft,
				fields: {...rest, step: stage === 'send' ? 'review' : stage, paused: false},
			});
		},
	};
};
