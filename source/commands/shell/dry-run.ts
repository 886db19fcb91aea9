import type {Planned} from '../../session/parts.ts';
import type {Output} from '../../terminal/output.ts';

/** Prints the plan of a dry run: each request with its `curl` line, or each local change. */
export async function shownPlan(plan: readonly Planned[], output: Output): Promise<void> {
	if (output.json) return output.value(plan);
	if (plan.length === 0) return output.text('Nothing would be written.\n');
	for (const [index, write] of plan.entries())
		await output.text(`${index > 0 ? '\n' : ''}${lines(write, index + 1).join('\n')}\n`);
}

function lines(write: Planned, step: number): string[] {
	if ('local' in write) return [`# ${step}  local data in ${oneLine(write.local)}`, oneLine(write.operation)];
	const {body} = write;
	return [
		`# ${step}  ${write.method} ${oneLine(write.url)}`,
		...(body ? [`# body: ${oneLine(body.describes)}, as ${oneLine(body.file)}`] : []),
		...(body?.content ? body.content.split('\n').map(line => `#   ${line}`) : []),
		oneLine(write.curl),
	];
}

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');
