import { Link } from "@tanstack/react-router";
import { Empty } from "../design/feedback.tsx";
import { PageFrame } from "../shell/page-frame.tsx";

export function NotFound() {
  return (
    <PageFrame title="Not found">
      <Empty icon="search" title="There is no such page.">
        <Link to="/" className="text-accent underline">
          Go to the overview
        </Link>
      </Empty>
    </PageFrame>
  );
}
