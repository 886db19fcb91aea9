import type {PlannedWrite} from '../../session/parts.ts';
import type {Output} from '../../terminal/output.ts';

/** Prints the plan of a dry run: each request with its `curl` line, or each local change. */
export async function printDryRunPlan(plan: readonly PlannedWrite[], output: Output): Promise<void> {
	if (output.json) return output.writeJson(plan);
	if (plan.length === 0) return output.writeText('Nothing would be written.\n');
	for (const [index, write] of plan.entries())
		await output.writeText(`${index > 0 ? '\n' : ''}${formatPlannedWrite(write, index + 1).join('\n')}\n`);
}

function formatPlannedWrite(write: PlannedWrite, step: number): string[] {
	if ('local' in write)
		return [`# ${step}  local data in ${joinLines(write.local)}`, joinLines(write.operation)];
	const {body} = write;
	return [
		`# ${step}  ${write.method} ${joinLines(write.url)}`,
		...(body ? [`# body: ${joinLines(body.describes)}, as ${joinLines(body.file)}`] : []),
		...(body?.content ? body.content.split('\n').map(line => `#   ${line}`) : []),
		joinLines(write.curl),
	];
}

const joinLines = (text: string): string => text.replace(/\s*\n\s*/g, ' ');
