import type {ServiceVerdict} from '../../service/call.ts';
import type {PlannedWrite} from '../../session/parts.ts';
import type {Output} from '../../terminal/output.ts';

/**
 * Prints the plan of a dry run: each request with its `curl` line and the service's verdict, or each local
 * change. Fails if the service would refuse a request, or may have made the change.
 */
export async function printDryRunPlan(plan: readonly PlannedWrite[], output: Output): Promise<void> {
	if (output.json) await output.writeJson(plan.map(toPlannedWriteJson));
	else if (plan.length === 0) await output.writeText('Nothing would be written.\n');
	else
		for (const [index, write] of plan.entries())
			await output.writeText(`${index > 0 ? '\n' : ''}${formatPlannedWrite(write, index + 1).join('\n')}\n`);
	for (const write of plan) {
		const verdict = 'local' in write ? undefined : write.verdict;
		if (verdict?.state === 'refused' || verdict?.state === 'changed') throw verdict.failure;
	}
}

/** `check` is what the service says of a request, with `--dry-run=server`. */
function toPlannedWriteJson(write: PlannedWrite) {
	if ('local' in write) return write;
	const {verdict, ...plannedCall} = write;
	if (!verdict) return plannedCall;
	const check =
		verdict.state === 'valid'
			? {state: verdict.state}
			: {state: verdict.state, code: verdict.failure.code, message: verdict.failure.message};
	return {...plannedCall, check};
}

/** Says in one line what the service says of a change: "valid, checked by the service". */
function describeVerdict(verdict: ServiceVerdict): string {
	switch (verdict.state) {
		case 'valid':
			return 'valid, checked by the service';
		case 'refused':
			return `refused by the service: ${verdict.failure.message}`;
		case 'not checked':
			return `not checked: ${verdict.failure.message}`;
		case 'changed':
			return verdict.failure.message;
	}
}

function formatPlannedWrite(write: PlannedWrite, step: number): string[] {
	if ('local' in write)
		return [`# ${step}  local data in ${joinLines(write.local)}`, joinLines(write.operation)];
	const {body, verdict} = write;
	return [
		`# ${step}  ${write.method} ${joinLines(write.url)}`,
		...(body ? [`# body: ${joinLines(body.describes)}, as ${joinLines(body.file)}`] : []),
		...(body?.content ? body.content.split('\n').map(line => `#   ${line}`) : []),
		joinLines(write.curl),
		...(verdict ? [`# ${joinLines(describeVerdict(verdict))}`] : []),
	];
}

const joinLines = (text: string): string => text.replace(/\s*\n\s*/g, ' ');
