/* Links, addresses and default routes by rtnetlink(7): its messages are walked by macros that Swift cannot see. */
#define _GNU_SOURCE
#include "CLinuxShims.h"

#include <errno.h>
#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define MOST_LOOPBACKS 8

struct reading {
    struct ccb_network_entry *entries;
    int capacity, count;
    int loopbacks[MOST_LOOPBACKS];
    int loopback_count;
};

static int open_socket(uint32_t groups, int flags) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | flags, NETLINK_ROUTE);
    if (descriptor < 0) return -errno;
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = groups};
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) {
        int error = errno;
        close(descriptor);
        return -error;
    }
    return descriptor;
}

int ccb_network_events(void) {
    return open_socket(RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE,
                       SOCK_NONBLOCK);
}

static int is_loopback(const struct reading *reading, int interface) {
    for (int i = 0; i < reading->loopback_count; i++)
        if (reading->loopbacks[i] == interface) return 1;
    return 0;
}

static void add(struct reading *reading, int kind, int interface, int family, const struct rtattr *address) {
    if (is_loopback(reading, interface) || reading->count == reading->capacity) return;
    struct ccb_network_entry *entry = &reading->entries[reading->count];
    memset(entry, 0, sizeof *entry);
    entry->kind = kind;
    entry->interface = interface;
    entry->is_ipv6 = family == AF_INET6;
    size_t size = address == NULL ? 0 : RTA_PAYLOAD(address);
    if (size > sizeof entry->address) return;
    if (size > 0) memcpy(entry->address, RTA_DATA(address), size);
    if (if_indextoname((unsigned)interface, entry->name) == NULL) entry->name[0] = 0;
    reading->count++;
}

static void read_link(struct reading *reading, const struct nlmsghdr *message) {
    const struct ifinfomsg *link = NLMSG_DATA(message);
    if (link->ifi_type == ARPHRD_LOOPBACK) {
        if (reading->loopback_count < MOST_LOOPBACKS) reading->loopbacks[reading->loopback_count++] = link->ifi_index;
    } else if ((link->ifi_flags & IFF_UP) && (link->ifi_flags & IFF_RUNNING)) {
        add(reading, CCB_NETWORK_LINK, link->ifi_index, AF_UNSPEC, NULL);
    }
}

static void read_address(struct reading *reading, const struct nlmsghdr *message) {
    const struct ifaddrmsg *address = NLMSG_DATA(message);
    uint32_t flags = address->ifa_flags;
    const struct rtattr *local = NULL, *other = NULL;
    int left = (int)IFA_PAYLOAD(message);
    for (const struct rtattr *part = IFA_RTA(address); RTA_OK(part, left); part = RTA_NEXT(part, left)) {
        if (part->rta_type == IFA_LOCAL) local = part;
        if (part->rta_type == IFA_ADDRESS) other = part;
        if (part->rta_type == IFA_FLAGS && RTA_PAYLOAD(part) >= sizeof flags)
            memcpy(&flags, RTA_DATA(part), sizeof flags);
    }
    /* Not yet or never usable, or good for neighbours only. */
    if (flags & (IFA_F_DADFAILED | IFA_F_TENTATIVE) && !(flags & IFA_F_OPTIMISTIC)) return;
    if (address->ifa_scope == RT_SCOPE_HOST) return;
    if (address->ifa_family == AF_INET6 && address->ifa_scope == RT_SCOPE_LINK) return;
    add(reading, CCB_NETWORK_ADDRESS, (int)address->ifa_index, address->ifa_family, local != NULL ? local : other);
}

static void read_route(struct reading *reading, const struct nlmsghdr *message) {
    const struct rtmsg *route = NLMSG_DATA(message);
    if (route->rtm_dst_len != 0 || route->rtm_type != RTN_UNICAST || route->rtm_table != RT_TABLE_MAIN) return;
    const struct rtattr *gateway = NULL;
    int interface = 0;
    int left = (int)RTM_PAYLOAD(message);
    for (const struct rtattr *part = RTM_RTA(route); RTA_OK(part, left); part = RTA_NEXT(part, left)) {
        if (part->rta_type == RTA_GATEWAY) gateway = part;
        if (part->rta_type == RTA_OIF && RTA_PAYLOAD(part) >= sizeof interface)
            memcpy(&interface, RTA_DATA(part), sizeof interface);
    }
    add(reading, CCB_NETWORK_ROUTE, interface, route->rtm_family, gateway);
}

/* 1 when the list is complete, 0 when more comes, -errno. */
static int take(struct reading *reading, int descriptor, uint16_t wanted) {
    /* The kernel's dumps come in pieces of at most 32 KiB. */
    char buffer[32768] __attribute__((aligned(NLMSG_ALIGNTO)));
    ssize_t size = recv(descriptor, buffer, sizeof buffer, 0);
    if (size < 0) return errno == EINTR ? 0 : -errno;
    int left = (int)size;
    struct nlmsghdr *message = (struct nlmsghdr *)buffer;
    for (; NLMSG_OK(message, left); message = NLMSG_NEXT(message, left)) {
        uint32_t size_of_message = message->nlmsg_len;
        if (message->nlmsg_type == NLMSG_DONE) return 1;
        if (message->nlmsg_type == NLMSG_ERROR) {
            if (size_of_message < NLMSG_LENGTH(sizeof(struct nlmsgerr))) return -EPROTO;
            int error = ((struct nlmsgerr *)NLMSG_DATA(message))->error;
            return error < 0 ? error : 1;
        }
        if (message->nlmsg_type != wanted) continue;
        if (wanted == RTM_NEWLINK && size_of_message >= NLMSG_LENGTH(sizeof(struct ifinfomsg)))
            read_link(reading, message);
        if (wanted == RTM_NEWADDR && size_of_message >= NLMSG_LENGTH(sizeof(struct ifaddrmsg)))
            read_address(reading, message);
        if (wanted == RTM_NEWROUTE && size_of_message >= NLMSG_LENGTH(sizeof(struct rtmsg)))
            read_route(reading, message);
    }
    return 0;
}

static int list(struct reading *reading, int descriptor, uint16_t request, uint16_t wanted) {
    struct {
        struct nlmsghdr header;
        struct rtgenmsg general;
    } message = {
        .header = {
            .nlmsg_len = NLMSG_LENGTH(sizeof(struct rtgenmsg)),
            .nlmsg_type = request,
            .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
        },
        .general = {.rtgen_family = AF_UNSPEC},
    };
    if (send(descriptor, &message, message.header.nlmsg_len, 0) < 0) return -errno;
    int result;
    while ((result = take(reading, descriptor, wanted)) == 0) {}
    return result < 0 ? result : 0;
}

int ccb_network_read(struct ccb_network_entry *entries, int capacity) {
    int descriptor = open_socket(0, 0);
    if (descriptor < 0) return descriptor;
    struct timeval limit = {.tv_sec = 2};
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    struct reading reading = {.entries = entries, .capacity = capacity};
    /* Links first: they say which interface is a loopback. */
    int result = list(&reading, descriptor, RTM_GETLINK, RTM_NEWLINK);
    if (result == 0) result = list(&reading, descriptor, RTM_GETADDR, RTM_NEWADDR);
    if (result == 0) result = list(&reading, descriptor, RTM_GETROUTE, RTM_NEWROUTE);
    close(descriptor);
    return result < 0 ? result : reading.count;
}
