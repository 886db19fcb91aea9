import {isJsonObject, type JsonValue} from '../../text/json.ts';
import {refuseValue} from './errors.ts';
import type {RequestedRule} from './requested-rule.ts';

const contentTypes = ['application/json', 'text/html', 'text/plain', 'text/xml'];

/** Refuses parameters of an action that has none. */
export function refuseParameters(
	{action, action_parameters: parameters = {}}: RequestedRule,
	pointer: string,
): void {
	const [name] = Object.keys(parameters);
	if (name === undefined) return;
	refuseValue(`the action ${action} has no parameter ${name}`, `${pointer}/action_parameters/${name}`);
}

/** Checks a block, with or without a custom response. */
export function checkBlock({action_parameters: parameters = {}}: RequestedRule, pointer: string): void {
	const parametersPointer = `${pointer}/action_parameters`;
	const extraName = Object.keys(parameters).find(name => name !== 'response');
	if (extraName !== undefined)
		refuseValue(`the action block has no parameter ${extraName}`, `${parametersPointer}/${extraName}`);
	if (parameters.response !== undefined) checkResponse(parameters.response, `${parametersPointer}/response`);
}

function checkResponse(value: JsonValue, pointer: string): void {
	const response = isJsonObject(value) ? value : refuseValue('response must be an object', pointer);
	const {status_code: status, content, content_type: type} = response;
	if (typeof status !== 'number' || !Number.isInteger(status) || status < 400 || status > 499)
		refuseValue('status_code must be 400 to 499', `${pointer}/status_code`);
	if (typeof content !== 'string' || content === '') refuseValue('content is required', `${pointer}/content`);
	if (typeof type !== 'string' || !contentTypes.includes(type))
		refuseValue(`content_type must be one of ${contentTypes.join(', ')}`, `${pointer}/content_type`);
}
