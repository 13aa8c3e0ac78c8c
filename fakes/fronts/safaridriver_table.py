"""Tool of Safari's MCP server -> what carries it out."""

from __future__ import annotations

from fakes.fronts import safaridriver_calls as tabs
from fakes.fronts import safaridriver_logs as logs
from fakes.fronts import safaridriver_page as page

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from fakes.fronts.safaridriver_calls import Call, Tool

HANDLERS: dict[str, Callable[[Call], Tool]] = {
    "browser_console_messages": logs.browser_console_messages,
    "browser_dialogs": logs.browser_dialogs,
    "close_tab": tabs.close_tab,
    "create_tab": tabs.create_tab,
    "evaluate_javascript": page.evaluate_javascript,
    "get_network_request": logs.get_network_request,
    "get_page_content": page.get_page_content,
    "list_network_requests": logs.list_network_requests,
    "list_tabs": tabs.list_tabs,
    "navigate_to_url": page.navigate_to_url,
    "page_info": tabs.page_info,
    "page_interactions": page.page_interactions,
    "screenshot": page.screenshot,
    "set_emulated_media": page.set_emulated_media,
    "set_viewport_size": page.set_viewport_size,
    "switch_tab": tabs.switch_tab,
    "wait_for_navigation": tabs.wait_for_navigation,
}
